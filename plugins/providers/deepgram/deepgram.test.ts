import { conform } from '#kit/testing'
import deepgram from './index.ts'

conform(deepgram, new URL('./fixtures/', import.meta.url))
