import { conform } from '#kit/testing'
import groq from './index.ts'

conform(groq, new URL('./fixtures/', import.meta.url))
