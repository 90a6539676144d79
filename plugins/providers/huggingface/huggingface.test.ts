import { conform } from '#kit/testing'
import huggingface from './index.ts'

conform(huggingface, new URL('./fixtures/', import.meta.url))
