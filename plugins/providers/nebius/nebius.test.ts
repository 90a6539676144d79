import { conform } from '#kit/testing'
import nebius from './index.ts'

conform(nebius, new URL('./fixtures/', import.meta.url))
