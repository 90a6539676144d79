import { conform } from '#kit/testing'
import llamaCpp from './index.ts'

conform(llamaCpp, new URL('./fixtures/', import.meta.url))
