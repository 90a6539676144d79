import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type HeaderFields, HeaderList } from './header-fields.ts'

const entriesOf = (fields: HeaderFields): [string, string][] =>
  [...fields].sort(([left], [right]) => (left < right ? -1 : 1))

const step = fc.record({
  verb: fc.constantFrom('set', 'append', 'delete'),
  name: fc.constantFrom('a', 'A', 'content-type', 'Content-Type', '__proto__', 'constructor'),
  value: fc.constantFrom('1', 'two', ''),
})

test('does what native headers do', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const [list, native] = [new HeaderList(), new Headers()]
      for (const fields of [list, native]) {
        for (const { verb, name, value } of steps) {
          if (verb === 'delete') fields.delete(name)
          else fields[verb](name, value)
        }
      }
      expect(entriesOf(list)).toEqual(entriesOf(native))
      for (const name of ['a', 'A', 'Content-type', 'x', '__proto__']) {
        expect(list.get(name)).toBe(native.get(name))
        expect(list.has(name)).toBe(native.has(name))
      }
      const visited: [string, string][] = []
      list.forEach((value, name) => void visited.push([name, value]))
      expect(visited).toEqual([...list])
    }),
  )
})
