import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, onFreePorts, PortTaken } from './start-ports.ts'
import { createProcessGroup, type ServiceCommand } from './start-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'weir-process-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

function service(script: string, options: Partial<ServiceCommand> = {}): ServiceCommand {
  return {
    name: 'Sample',
    command: ['/bin/sh', '-c', script],
    folder,
    logFile: join(folder, `${crypto.randomUUID()}.log`),
    readyText: 'accepting',
    deadlineMs: 4_000,
    stopSignal: 'SIGTERM',
    ...options,
  }
}

test('a service is ready by its log, and closing ends it', async () => {
  const group = createProcessGroup()
  const pidFile = join(folder, 'pid')
  await group.start(service(`echo $$ > '${pidFile}'; echo accepting; exec sleep 60`))
  const pid = Number(await Bun.file(pidFile).text())
  expect(process.kill(pid, 0)).toBe(true)
  await group.close()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await expect(group.start(service('echo accepting'))).rejects.toThrow('being stopped')
})

test('a service that ends or is late is reported with its log', async () => {
  const group = createProcessGroup()
  try {
    await expect(group.start(service('echo "bad setting"; exit 3'))).rejects.toThrow(/ended before.*\n.*bad setting/)
    const late = service('echo "still busy"; exec sleep 60', { deadlineMs: 200 })
    await expect(group.start(late)).rejects.toThrow(/not ready within 200 ms.*\n.*still busy/)
    await expect(group.run({ ...service('echo "no space"; exit 2') })).rejects.toThrow(/exited with 2.*\n.*no space/)
  } finally {
    await group.close()
  }
})

test('a lost port race is tried again on other ports', async () => {
  const group = createProcessGroup()
  const tried: number[] = []
  const busy = service('echo "bind: Address already in use"; exit 1')
  try {
    const port = await onFreePorts(1, async ([port = 0]) => {
      tried.push(port)
      await group.start(tried.length < 3 ? busy : service('echo accepting; exec sleep 60'))
      return port
    })
    expect(port).toBe(tried[2] ?? 0)
    await expect(onFreePorts(1, () => group.start(busy))).rejects.toBeInstanceOf(PortTaken)
  } finally {
    await group.close()
  }
})

test('free ports are distinct', () => {
  const ports = freePorts(20)
  expect(new Set(ports).size).toBe(20)
  expect(Math.min(...ports)).toBeGreaterThan(0)
})
