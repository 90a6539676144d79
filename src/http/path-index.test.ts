import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PathIndex, type Place } from './path-index.ts'

const segment = fc.constantFrom('a', 'b', ':id', ':name')
const pattern = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([segments, isOpen]) => `/${[...segments, ...(isOpen ? ['*'] : [])].join('/')}`)
const place = fc.record({ method: fc.constantFrom('GET', 'POST', 'ALL'), path: pattern })
const path = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 6 }).map((segments) => `/${segments.join('/')}`)

/** Tried one after the other. */
const fits = (pattern: string, path: string): boolean => {
  const segments = pattern.split('/')
  const parts = path.split('/')
  if (segments.at(-1) === '*' ? segments.length > parts.length : segments.length !== parts.length) return false
  return segments.every((name, index) => {
    if (name === '*') return true
    return name.startsWith(':') ? parts[index] !== '' : name === parts[index]
  })
}

const nameOf = ({ method, path: at }: Place): string => `${method} ${at.replaceAll(/:[a-z]+/g, ':')}`

test('finds what fits, as if all patterns were tried, and keeps one place of each name', () => {
  fc.assert(
    fc.property(fc.array(place), fc.array(path), (places, paths) => {
      const index = new PathIndex<Place>()
      const kept = places.filter((each) => index.add(each) === undefined)
      expect(new Set(kept.map(nameOf)).size).toBe(kept.length)
      expect(new Set(kept.map(nameOf))).toEqual(new Set(places.map(nameOf)))
      for (const at of paths) {
        expect(new Set(index.at(at))).toEqual(new Set(kept.filter((each) => fits(each.path, at))))
      }
    }),
  )
})

test('gives the place that has the name already, whatever its parameters are called', () => {
  const index = new PathIndex<Place>()
  const first = { method: 'GET', path: '/things/:id' }
  expect(index.add(first)).toBeUndefined()
  expect(index.add({ method: 'GET', path: '/things/:slug' })).toBe(first)
  expect(index.add({ method: 'PUT', path: '/things/:slug' })).toBeUndefined()
  expect(index.at('/things/x').map(({ method }) => method)).toEqual(['GET', 'PUT'])
})
