import { join } from 'node:path'

/** Files of a certificate authority made for one test, and of the certificates it signed. */
export interface Certificates {
  readonly caFile: string
  /** Key and certificate for this name. */
  of(name: string): Promise<{ readonly key: string; readonly cert: string }>
}

/** Makes an authority and one certificate a name, valid for a day, with the `openssl` command. */
export const makeCertificates = async (folder: string, names: readonly string[]): Promise<Certificates> => {
  const file = (name: string): string => join(folder, name)
  const run = async (args: readonly string[]): Promise<void> => {
    const done = Bun.spawn(['openssl', ...args], { stdout: 'ignore', stderr: 'pipe' })
    if ((await done.exited) !== 0) throw new Error(`openssl ${args[0]}: ${await new Response(done.stderr).text()}`)
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await run([
    'req',
    '-x509',
    ...newKey,
    '-days',
    '1',
    '-subj',
    '/CN=Weir test CA',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  ])
  for (const name of names) {
    await Bun.write(file(`${name}.ext`), `subjectAltName=DNS:${name}\n`)
    await run(['req', ...newKey, '-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)])
    await run([
      'x509',
      '-req',
      '-in',
      file(`${name}.csr`),
      '-CA',
      file('ca.pem'),
      '-CAkey',
      file('ca.key'),
      '-CAcreateserial',
      '-days',
      '1',
      '-extfile',
      file(`${name}.ext`),
      '-out',
      file(`${name}.pem`),
    ])
  }
  return {
    caFile: file('ca.pem'),
    of: async (name) => ({
      key: await Bun.file(file(`${name}.key`)).text(),
      cert: await Bun.file(file(`${name}.pem`)).text(),
    }),
  }
}
