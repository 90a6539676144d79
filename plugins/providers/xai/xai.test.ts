import { conform } from '#kit/testing'
import xai from './index.ts'

conform(xai, new URL('./fixtures/', import.meta.url))
