import { beforeAll, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AnyRoute } from '../../../src/management/route.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../../src/store/testing.ts'
import { badBodies } from './bad-bodies.ts'
import { hashTables } from './dump.ts'
import { expectError, paramOf } from './expect-error.ts'
import { nameOf, routesUnderTest } from './routes-under-test.ts'
import { FREE_PARAMETERS, fillPath, isOfProtocol, keyFor, missingFrom, samplesOf } from './samples.ts'
import { rememberedActorsOf } from './tenants.ts'
import { createWorld, type World } from './world.ts'

/** The whole table takes a while on a busy machine. */
const TABLE_MS = 120_000
/** Nothing that is refused may cost more than this. */
const SLOWEST_REFUSAL_MS = 1_000

/** Links for whoever has them: one that was changed is refused, and tells nobody whether the object is there. */
const SIGNED_LINKS: ReadonlySet<string> = new Set(['GET /logs/exports/:exportId/file'])

/** As texts of a query. */
const QUERY_CANDIDATES = ['', ' ', 'nonsense', '-1', '0', '1.5', '1e3', '0x10', '1001', '99999999999999999999', '\0']

describeOnBothStores('bad input', (store) => {
  let world: World
  let routes: readonly AnyRoute[]

  beforeAll(async () => {
    routes = await routesUnderTest(store())
    world = await createWorld(store(), routes, { actors: rememberedActorsOf(store().db) })
  }, SLOW_START_MS)

  test(
    'a body that is wrong is refused, its field named, and nothing is stored',
    async () => {
      let refused = 0
      const samples = await samplesOf(
        routes.filter((route) => route.body !== undefined && !isOfProtocol(route)),
        world,
      )
      const before = await hashTables(world.db)
      for (const [route, sample] of samples) {
        if (route.body === undefined) continue
        const call = { method: route.method, path: fillPath(route, sample), token: keyFor(route, world) }
        for (const { about, raw, path, status = 400 } of badBodies(
          route.body,
          sample.body ?? {},
          route.bodyOptional === true,
          route.maxBodyBytes,
        )) {
          const startedAtMs = performance.now()
          const answer = await world.call({ ...call, raw })
          const tookMs = performance.now() - startedAtMs
          const told = { route: nameOf(route), about, status: answer.status, text: answer.text.slice(0, 300) }
          expect(told).toMatchObject({ status })
          expectError(answer, 'management_invalid', status)
          if (path !== undefined)
            expect({ ...told, param: String(paramOf(answer)).slice(0, path.length) }).toMatchObject({ param: path })
          expect({ ...told, isSlow: tookMs > SLOWEST_REFUSAL_MS }).toMatchObject({ isSlow: false })
          expect({ ...told, isLong: answer.text.length > 20_000 }).toMatchObject({ isLong: false })
          refused++
        }
      }
      expect(await hashTables(world.db)).toEqual(before)
      expect(refused).toBeGreaterThan(500)
    },
    TABLE_MS,
  )

  test(
    'a query that is wrong is refused, its parameter named',
    async () => {
      const samples = await samplesOf(
        routes.filter((route) => !isOfProtocol(route)),
        world,
      )
      const before = await hashTables(world.db)
      for (const [route, sample] of samples) {
        const refuse = async (search: string, param: string): Promise<void> => {
          const path = `${fillPath(route, { ...sample, query: {} })}?${search}`
          const answer = await world.call({
            method: route.method,
            path,
            token: keyFor(route, world),
            body: sample.body,
          })
          expect({ path, status: answer.status, param: paramOf(answer) }).toEqual({ path, status: 400, param })
          expectError(answer, 'management_invalid')
        }
        const good = new URLSearchParams(sample.query).toString()
        await refuse(`${good}&nonsense=1`, 'nonsense')
        await refuse(`${good}&__proto__=1`, '__proto__')
        for (const [name, property] of Object.entries<TSchema>(route.query?.properties ?? {})) {
          const rest = new URLSearchParams(sample.query)
          rest.delete(name)
          for (const candidate of QUERY_CANDIDATES) {
            if (isAccepted(property, candidate)) continue
            const param = property.type === 'array' ? `${name}[0]` : name
            await refuse(`${rest}&${new URLSearchParams({ [name]: candidate })}`, param)
          }
          // One that may be given more than once.
          if (property.type === 'array') continue
          const value = sample.query?.[name] ?? '1'
          await refuse(
            `${rest}&${new URLSearchParams([
              [name, value],
              [name, value],
            ])}`,
            name,
          )
        }
      }
      expect(await hashTables(world.db)).toEqual(before)
    },
    TABLE_MS,
  )

  test(
    'parameters of the path may be anything, and find nothing',
    async () => {
      const samples = await samplesOf(
        routes.filter(({ path }) => path.includes(':')),
        world,
      )
      const before = await hashTables(world.db)
      for (const [route, sample] of samples) {
        for (const text of [
          '%',
          "' or 1=1 --",
          '__proto__',
          'constructor',
          'é\u{1f600}',
          'a'.repeat(5_000),
          'a\0b',
          '\\',
        ]) {
          for (const name of Object.keys(sample.params ?? {})) {
            const path = fillPath(route, { ...sample, params: { ...sample.params, [name]: text } })
            const answer = await world.call({
              method: route.method,
              path,
              token: keyFor(route, world),
              body: sample.body,
            })
            const isHidden = SIGNED_LINKS.has(nameOf(route)) || missingFrom(route) === 'management_forbidden'
            const missing = isHidden ? 403 : 404
            const status = text.includes('\0') ? 400 : FREE_PARAMETERS.has(name) ? 200 : missing
            expect({ path, status: answer.status }).toEqual({ path, status })
          }
        }
      }
      expect(await hashTables(world.db)).toEqual(before)
    },
    TABLE_MS,
  )
})

/** Digits of a parameter that is a number are read as one. A text with a NUL is never stored. */
const isAccepted = (schema: TSchema, text: string): boolean => {
  if (schema.type === 'array') return isAccepted(schema.items, text)
  const isNumber = NUMBERS[String(schema.type)]?.test(text) === true
  return !text.includes('\0') && Value.Check(schema, isNumber ? Number(text) : text)
}

const NUMBERS: Readonly<Record<string, RegExp>> = {
  integer: /^-?[0-9]{1,15}$/,
  number: /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/,
}
