import { conform } from '#kit/testing'
import pinecone from './index.ts'

conform(pinecone, new URL('./fixtures/', import.meta.url))
