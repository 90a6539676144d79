import { conform } from '#kit/testing'
import together from './index.ts'

conform(together, new URL('./fixtures/', import.meta.url))
