import { afterEach, expect, test } from 'bun:test'
import { type Doors, openDoors } from './doors.ts'

const opened: Doors[] = []
const heard: unknown[] = []
const open = async (port: number): Promise<Doors> => {
  const doors = await openDoors(port, (error) => heard.push(error))
  opened.push(doors)
  return doors
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((doors) => doors.close()))
  heard.splice(0)
})

const isThere = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v1/models`, { keepalive: false })).ok
  } catch {
    return false
  }
}

test('a port that nobody has is taken', async () => {
  const free = await open(0)
  await free.close()
  const { server } = await open(free.server.port)
  expect(server.port).toBe(free.server.port)
  expect(await isThere(server.port)).toBe(true)
  expect(heard).toEqual([])
})

test('one that somebody has is taken once it is free, and calls go to another meanwhile', async () => {
  const first = await open(0)
  const { port } = first.server
  const second = await open(port)
  expect(second.server.port).not.toBe(port)
  expect(await isThere(second.server.port)).toBe(true)
  expect(heard).toHaveLength(1)
  await first.close()
  let looks = 0
  while (!(await isThere(port)) && looks++ < 100) await Bun.sleep(50)
  expect(await isThere(port)).toBe(true)
  await second.close()
  expect([await isThere(port), await isThere(second.server.port)]).toEqual([false, false])
})

test('what waits for a port ends with the rest', async () => {
  const first = await open(0)
  const second = await open(first.server.port)
  await second.close()
  await first.close()
  await Bun.sleep(1_200)
  expect(await isThere(first.server.port)).toBe(false)
})
