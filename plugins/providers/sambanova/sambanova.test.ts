import { conform } from '#kit/testing'
import sambanova from './index.ts'

conform(sambanova, new URL('./fixtures/', import.meta.url))
