import { conform } from '#kit/testing'
import deepseek from './index.ts'

conform(deepseek, new URL('./fixtures/', import.meta.url))
