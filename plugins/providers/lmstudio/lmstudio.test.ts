import { conform } from '#kit/testing'
import lmstudio from './index.ts'

conform(lmstudio, new URL('./fixtures/', import.meta.url))
