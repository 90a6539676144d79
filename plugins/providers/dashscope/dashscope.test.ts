import { conform } from '#kit/testing'
import dashscope from './index.ts'

conform(dashscope, new URL('./fixtures/', import.meta.url))
