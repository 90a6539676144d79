import { conform } from '#kit/testing'
import vllm from './index.ts'

conform(vllm, new URL('./fixtures/', import.meta.url))
