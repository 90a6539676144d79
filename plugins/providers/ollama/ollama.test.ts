import { conform } from '#kit/testing'
import ollama from './index.ts'

conform(ollama, new URL('./fixtures/', import.meta.url))
