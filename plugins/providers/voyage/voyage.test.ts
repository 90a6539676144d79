import { conform } from '#kit/testing'
import voyage from './index.ts'

conform(voyage, new URL('./fixtures/', import.meta.url))
