import { conform } from '#kit/testing'
import jina from './index.ts'

conform(jina, new URL('./fixtures/', import.meta.url))
