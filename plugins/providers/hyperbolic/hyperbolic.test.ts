import { conform } from '#kit/testing'
import hyperbolic from './index.ts'

conform(hyperbolic, new URL('./fixtures/', import.meta.url))
