import { conform } from '#kit/testing'
import cohere from './index.ts'

conform(cohere, new URL('./fixtures/', import.meta.url))
