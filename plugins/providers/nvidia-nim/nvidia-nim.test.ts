import { conform } from '#kit/testing'
import nvidiaNim from './index.ts'

conform(nvidiaNim, new URL('./fixtures/', import.meta.url))
