import { conform, conformExchanges } from '#kit/testing'
import mistral from './index.ts'

conform(mistral, new URL('./fixtures/', import.meta.url))
conformExchanges(mistral, new URL('./exchanges/', import.meta.url))
