import { dlopen, ptr } from 'bun:ffi'
import { arch } from 'node:os'
import { ownSockets } from './own-sockets.ts'

/** `asm-generic/socket.h` */
const SOL_SOCKET = 1
const SO_ATTACH_REUSEPORT_CBPF = 51
const SO_DETACH_REUSEPORT_BPF = 68

/** `linux/filter.h`: instructions of the classic packet filter. */
const LOAD_ABSOLUTE = 0x20
const MODULO = 0x94
const JUMP_IF_EQUAL = 0x15
const RETURN = 0x06
/** Ancillary data: a random number. */
const RANDOM = -0x1000 + 56
const INSTRUCTION_BYTES = 8
const PROGRAM_BYTES = 16

/**
 * Has the kernel bring new connections to some listeners of the port alone, by their places in its list of those that share
 * it. Without this a listener that closes resets the connections that wait for it: each would be a lost call.
 * @param places none: to all of them
 * @returns whether it does now
 */
export const steerConnections = (port: number, places: readonly number[]): boolean => {
  const [listener] = ownSockets(port).listeners
  const setOption = openLibrary()
  if (listener === undefined || setOption === undefined) return false
  if (places.length === 0) return setOption(listener, SO_DETACH_REUSEPORT_BPF, new Uint8Array(4))
  const instructions = choiceOf(places)
  const program = new DataView(new ArrayBuffer(PROGRAM_BYTES))
  program.setUint16(0, instructions.length / INSTRUCTION_BYTES, true)
  program.setBigUint64(8, BigInt(ptr(instructions)), true)
  return setOption(listener, SO_ATTACH_REUSEPORT_CBPF, new Uint8Array(program.buffer))
}

/** Instructions that give one of the places, each as often. */
const choiceOf = (places: readonly number[]): Uint8Array => {
  const choices = places.flatMap((place, index) => [instruction(JUMP_IF_EQUAL, index, 1), instruction(RETURN, place)])
  return Buffer.concat([
    instruction(LOAD_ABSOLUTE, RANDOM),
    instruction(MODULO, places.length),
    ...choices,
    instruction(RETURN, places[0] ?? 0),
  ])
}

/** @param elseSkip instructions that are left out when a comparison fails */
const instruction = (code: number, value: number, elseSkip = 0): Uint8Array => {
  const view = new DataView(new ArrayBuffer(INSTRUCTION_BYTES))
  view.setUint16(0, code, true)
  view.setUint8(3, elseSkip)
  view.setUint32(4, value >>> 0, true)
  return new Uint8Array(view.buffer)
}

type SetOption = (descriptor: number, option: number, value: Uint8Array) => boolean

/** The system's library, under its name in glibc or in musl. */
const openLibrary = (): SetOption | undefined => {
  const musl = `libc.musl-${arch() === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
  for (const name of ['libc.so.6', musl]) {
    try {
      const { symbols } = dlopen(name, {
        setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
      })
      return (descriptor, option, value) =>
        symbols.setsockopt(descriptor, SOL_SOCKET, option, value, value.length) === 0
    } catch {
      // The other one.
    }
  }
  return undefined
}
