import type { OperatorConfig } from '../config/schema.ts'
import { type AddPage, mountConsole, refuseConsole } from '../console/mount.ts'
import { createBundleOpener } from '../console/open-bundle.ts'
import type { Logger } from '../core/ports.ts'

/** The console of a gateway, by a config that is from now on the current one. Nothing is read before somebody looks. */
export const createConsole = (
  log: Logger,
  isDataPlane: boolean,
): ((server: OperatorConfig['server']) => (add: AddPage) => void) => {
  const open = createBundleOpener()
  return ({ basePath, publicUrl }) => {
    if (isDataPlane) return refuseConsole(basePath)
    const prefix = publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/+$/, '')
    // A proxy may add something in front, and may take the operator's prefix for the whole of it.
    const probes = prefix.endsWith(basePath) ? prefix.slice(0, prefix.length - basePath.length) : prefix
    return (add) => mountConsole(add, { open, basePath, prefix, probes, log })
  }
}
