import { conform } from '#kit/testing'
import perplexityAi from './index.ts'

conform(perplexityAi, new URL('./fixtures/', import.meta.url))
