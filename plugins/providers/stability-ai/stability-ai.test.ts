import { conform } from '#kit/testing'
import stability from './index.ts'

conform(stability, new URL('./fixtures/', import.meta.url))
