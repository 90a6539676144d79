import { describe, expect, test } from 'bun:test'
import { builtInEndpoints } from '../../plugins/built-in.ts'
import { importsOf, isTest, type Source, sources, withoutComments } from '../support/sources.ts'

const everything = await sources('{src,plugins,test}/**/*.ts')
/** What runs in production. */
const product = everything.filter((source) => !isTest(source))

/** Files with a match, and the matches. */
const matches = (sources: readonly Source[], pattern: RegExp): Record<string, string[]> =>
  Object.fromEntries(
    sources
      .map(({ path, code }): [string, string[]] => [path, [...code.matchAll(pattern)].map(([match]) => match.trim())])
      .filter(([, found]) => found.length > 0),
  )

test('the sources were found', () => {
  expect(product.length).toBeGreaterThan(100)
  expect(product.map(({ path }) => path)).toContain('src/main.ts')
})

test('comments are left out and strings are not', () => {
  const text = "a // fetch(\nb('//x', `/* y */`) /* fetch(\n*/ c"
  expect(withoutComments(text)).toBe("a \nb('//x', `/* y */`)  c")
})

describe('one way out', () => {
  test('only the commands that ask a running gateway call fetch', () => {
    // A method of that name, as Bun.serve takes it, is a way in. The power of that name, which checks call as a method of their
    // powers, goes through the upstream.
    const calls = matches(
      product,
      /^.*(?<!\bpowers\.|needs\b.{0,60}')\bfetch\b(?!\(request, server\) \{|'\)|-|\(url: string, |\(powers, |: refuse\b).*$/gm,
    )
    expect(Object.keys(calls)).toEqual(['src/cli/healthcheck.ts', 'src/cli/logs.ts'])
    expect(Object.values(calls).map((found) => found.length)).toEqual([1, 1])
  })

  test('only the upstream opens a connection, and the stores through their drivers', () => {
    const sockets =
      /\bnew WebSocket\b|\bnew EventSource\b|\bXMLHttpRequest\b|\bBun\.(?:connect|udpSocket|redis|sql|s3)\b|\bhttps?\.(?:request|get)\(|\bnet\.connect\(|\bcreateConnection\(/g
    expect(matches(product, sockets)).toEqual({ 'src/upstream/http1/dial.ts': ['Bun.connect'] })
    const clients = ['http', 'https', 'net', 'tls', 'dgram', 'http2', 'child_process'].flatMap((name) => [
      name,
      `node:${name}`,
    ])
    const importing = product
      .filter((source) => importsOf(source).some((specifier) => clients.includes(specifier)))
      .map(({ path }) => path)
    // The mock provider is a server: it takes `createServer` and types from there. The upstream knocks before it dials.
    // What proxies say is read with `isIP` alone. Commands reach the gateway of their data folder by a Unix socket.
    expect(importing).toEqual([
      'plugins/providers/mock/perform.ts',
      'plugins/providers/mock/realtime/upgrade.ts',
      'plugins/providers/mock/server.ts',
      'src/http/trusted-proxies.ts',
      'src/store/database/socket-client.ts',
      'src/store/database/socket-messages.ts',
      'src/store/database/socket-server.ts',
      'src/upstream/addresses.ts',
      'src/upstream/http1/knock.ts',
    ])
  })
})

describe('patterns', () => {
  test('no text becomes a pattern of JavaScript: what tenants and callers write is searched for by the kit', () => {
    expect(matches(product, /^.*\bRegExp\(.*$/gm)).toEqual({})
    // These make one of a text, silently. Some have a method of that name.
    expect(Object.keys(matches(product, /^.*\.(?:match|matchAll|search)\((?!\s*\/).*$/gm))).toEqual([
      'src/budgets/rules.ts',
      'src/calls/pattern/pattern.ts',
      'src/calls/pattern/redaction.ts',
      'src/calls/pattern/search.ts',
      'src/limits/engine.ts',
    ])
  })

  test('one room compiles them', () => {
    const importing = product.filter((source) => importsOf(source).includes('re2js')).map(({ path }) => path)
    expect(importing).toEqual([
      'src/calls/pattern/pattern.ts',
      'src/calls/pattern/redaction.ts',
      'src/calls/pattern/search.ts',
      'src/calls/pattern/spelling-fault.ts',
    ])
  })
})

describe('one place for the process', () => {
  test('only main.ts touches it', () => {
    const touching = matches(product, /\bprocess\s*[.[]\s*\w+|\bBun\.(?:env|argv)\b|\bimport\.meta\.env\b/g)
    expect(Object.keys(touching)).toEqual([
      // A script of its own, not part of the gateway.
      'plugins/prices/data/convert.ts',
      'src/build.ts',
      // Whose child it is, to see that one go.
      'src/cli/terminal/runner-end.ts',
      'src/main.ts',
      // What it uses, to be told.
      'src/observe/metrics/process-metrics.ts',
      // Only the process id, for a message.
      'src/store/database/folder-lock.ts',
    ])
    expect(new Set(touching['src/observe/metrics/process-metrics.ts'])).toEqual(
      new Set(['process.memory', 'process.memoryUsage', 'process.cpu', 'process.cpuUsage', 'process.uptime']),
    )
    expect(touching['src/store/database/folder-lock.ts']).toEqual(['process.pid'])
    expect(new Set(touching['src/cli/terminal/runner-end.ts'])).toEqual(new Set(['process.pid', 'process.ppid']))
  })

  test('nobody imports it', () => {
    expect(everything.filter((source) => importsOf(source).some((name) => /^(node:)?process$/.test(name)))).toEqual([])
  })
})

describe('one home for each kind of call', () => {
  test('no stage, and nothing of the core or the door, names an endpoint', () => {
    const sources = product.filter(({ path }) => /^(?:src\/(?:core|http)|plugins\/pipeline)\//.test(path))
    const names = builtInEndpoints.flatMap(({ id, routes }) => [id, ...routes.map(({ path }) => path)])
    expect(names.length).toBeGreaterThan(8)
    const found = sources.flatMap(({ path, code }) =>
      names
        .filter((name) => [`'${name}'`, `"${name}"`, `\`${name}\``].some((text) => code.includes(text)))
        .map((name) => `${path}: ${name}`),
    )
    expect(found).toEqual([])
    const paths = builtInEndpoints.flatMap(({ routes }) => routes.map(({ path }) => path))
    // A folder may have the name of one.
    const said = (code: string): string => code.replaceAll(/\bfrom '[^']+'/g, '')
    const naming = sources.filter(({ code }) => paths.some((path) => said(code).includes(path)))
    expect(naming.map(({ path }) => path)).toEqual([])
  })
})

describe('types', () => {
  test('no any', () => {
    const codeAlone = everything.map((source) => ({
      ...source,
      code: source.code.replace(/(["'`])(?:[^\\\n]|\\.)*?\1/g, ''),
    }))
    expect(matches(codeAlone, /(?:[:<|&(,[]|\bas|=>)\s*any\b|\bany\[\]/g)).toEqual({})
  })

  test('no suppression without its reason', () => {
    const suppressed = everything
      .filter(({ path }) => path !== 'test/conformance/sources.test.ts')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/@ts-(?:ignore|nocheck|expect-error(?!: \S+ \S+))|biome-ignore(?! \S+: \S{2,} \S+)/g)].map(
          ([match]) => `${path}: ${match}`,
        ),
      )
    expect(suppressed).toEqual([])
  })

  test('no skipped, focused or postponed test', () => {
    const tests = everything.filter(isTest).filter(({ path }) => path !== 'test/conformance/sources.test.ts')
    expect(matches(tests, /\b(?:test|it|describe)\.(?:skip|only|todo|skipIf|todoIf|failing)\b/g)).toEqual({})
  })
})

describe('the contract of plugins', () => {
  // Each name is a promise to plugins that others wrote, and one more thing to learn before a first one works. A new name is
  // worth it only where an old one goes, or where no plugin could do without: twelve are what a check is made of.
  const MOST_NAMES = 86

  test('stays small', () => {
    const code = product.find(({ path }) => path === 'src/kit/index.ts')?.code ?? ''
    const exported = [...code.matchAll(/\bexport (?:type )?(?:\{([^}]*)\}|(\*)) from '([^']+)'/g)]
    // Each export is of one of these two forms, so that none is overlooked.
    expect(exported).toHaveLength([...code.matchAll(/\bexport\b/g)].length)
    const whole = exported.filter(([, , star]) => star !== undefined).map(([, , , from]) => from)
    expect(whole).toEqual(['../errors/gateway-error.ts'])
    const names = exported.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
    expect(names.filter((name) => name !== '').length).toBeLessThanOrEqual(MOST_NAMES)
  })
})

describe('what is imported where', () => {
  test('core takes neither a clock nor chance nor a timer', () => {
    expect(
      matches(
        product.filter(({ path }) => /^src\/(?:core|errors)\//.test(path)),
        /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\brandomUUID\b|\bset(?:Timeout|Interval)\b/g,
      ),
    ).toEqual({})
  })

  test('Elysia is the door and nothing else', () => {
    const withElysia = product.filter((source) => importsOf(source).includes('elysia')).map(({ path }) => path)
    expect(withElysia).toEqual(['src/compose/gateway.ts', 'src/http/app.ts'])
  })

  test('nothing that runs imports a test tool', () => {
    const tools = /^bun:test$|^fast-check$|\/testing(?:\/|\.ts$)|^#kit\/testing$|\.test\.ts$|\/test\//
    const importing = product.filter((source) => importsOf(source).some((specifier) => tools.test(specifier)))
    expect(importing.map(({ path }) => path)).toEqual([])
  })
})
