import type { Elysia } from 'elysia'
import type { AddPath } from '../mount.ts'

/** Adds paths to an application of a test, as the door adds them to the real one. */
export const addTo =
  (app: Pick<Elysia, 'route'>): AddPath =>
  (method, path, handler) => {
    app.route(method, path, ({ request, params }) => handler(request, params), { parse: 'none' })
  }
