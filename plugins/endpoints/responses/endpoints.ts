import type { Endpoint } from '#kit'
import { createResponse } from './create.ts'
import { cancelResponse, deleteResponse, getResponse, listInputItems } from './stored.ts'

/** All calls that have to do with responses. */
export const responseEndpoints: readonly Endpoint[] = [
  createResponse,
  getResponse,
  deleteResponse,
  cancelResponse,
  listInputItems,
]
