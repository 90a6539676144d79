import { conform, conformExchanges } from '#kit/testing'
import together from './index.ts'

conform(together, new URL('./fixtures/', import.meta.url))
conformExchanges(together, new URL('./exchanges/', import.meta.url))
