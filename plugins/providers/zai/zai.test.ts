import { conform } from '#kit/testing'
import zai from './index.ts'

conform(zai, new URL('./fixtures/', import.meta.url))
