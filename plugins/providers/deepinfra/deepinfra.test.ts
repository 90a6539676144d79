import { conform } from '#kit/testing'
import deepinfra from './index.ts'

conform(deepinfra, new URL('./fixtures/', import.meta.url))
