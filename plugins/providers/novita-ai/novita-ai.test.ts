import { conform } from '#kit/testing'
import novitaAi from './index.ts'

conform(novitaAi, new URL('./fixtures/', import.meta.url))
