import { conform } from '#kit/testing'
import mistral from './index.ts'

conform(mistral, new URL('./fixtures/', import.meta.url))
