import { conform } from '#kit/testing'
import cerebras from './index.ts'

conform(cerebras, new URL('./fixtures/', import.meta.url))
