import { join } from 'node:path'

/** Files of a certificate authority made for one test, and of the certificates it signed. */
export interface Certificates {
  readonly caFile: string
  /** Key and certificate for this name. */
  of(name: string): Promise<KeyPair>
  /** For the same name and key, but no longer valid. */
  expired(name: string): Promise<KeyPair>
  /** For the same name, signed by nobody but itself. */
  selfSigned(name: string): Promise<KeyPair>
}

export interface KeyPair {
  readonly key: string
  readonly cert: string
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
  const pair = async (key: string, cert: string): Promise<KeyPair> => ({
    key: await Bun.file(file(key)).text(),
    cert: await Bun.file(file(cert)).text(),
  })
  return {
    caFile: file('ca.pem'),
    of: (name) => pair(`${name}.key`, `${name}.pem`),
    async expired(name) {
      // Only `openssl ca` of OpenSSL 3.0 takes dates; it keeps a register.
      await Bun.write(file('ca.cnf'), REGISTER.replaceAll('FOLDER', folder))
      await Bun.write(file('index.txt'), '')
      await Bun.write(file('serial.txt'), '01')
      const dates = ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z']
      const signer = ['-cert', file('ca.pem'), '-keyfile', file('ca.key')]
      const files = ['-in', file(`${name}.csr`), '-extfile', file(`${name}.ext`), '-out', file(`${name}.expired.pem`)]
      await run(['ca', '-batch', '-notext', '-config', file('ca.cnf'), ...signer, ...dates, ...files])
      return pair(`${name}.key`, `${name}.expired.pem`)
    },
    async selfSigned(name) {
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
      const files = ['-keyout', file(`${name}.self.key`), '-out', file(`${name}.self.pem`)]
      await run(['req', '-x509', ...newKey, '-days', '1', ...subject, ...files])
      return pair(`${name}.self.key`, `${name}.self.pem`)
    },
  }
}

const REGISTER = `[ca]
default_ca = test
[test]
database = FOLDER/index.txt
serial = FOLDER/serial.txt
new_certs_dir = FOLDER
default_md = sha256
policy = all
[all]
commonName = supplied
`
