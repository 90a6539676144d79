import { defineConfig } from '../config/schema.ts'
import * as kit from '../kit/index.ts'
import * as provider from '../kit/provider.ts'
import * as slots from '../kit/slots.ts'

/**
 * Lets a plugin or config file that lies anywhere import `weir/kit` (or `#kit`) and `weir/config`, also when Weir is a
 * single executable and there is no package to resolve them from: it gets the very modules that the engine uses.
 */
export const provideKit = (): void =>
  Bun.plugin({
    name: 'weir-kit',
    setup(build) {
      for (const root of ['weir/kit', '#kit']) {
        build.module(root, () => ({ exports: { ...kit }, loader: 'object' }))
        build.module(`${root}/provider`, () => ({ exports: { ...provider }, loader: 'object' }))
        build.module(`${root}/slots`, () => ({ exports: { ...slots }, loader: 'object' }))
      }
      build.module('weir/config', () => ({ exports: { defineConfig }, loader: 'object' }))
    },
  })
