/** `bun run console:types`: writes what the console knows of the interface, from the gateway's own document. */
import { CHECKS_FILE, documentedTypes, KNOWN_FILE, knownChecks, knownNames, SCHEMA_FILE } from './documented-types.ts'

await Bun.write(SCHEMA_FILE, await documentedTypes())
await Bun.write(KNOWN_FILE, await knownNames())
await Bun.write(CHECKS_FILE, await knownChecks())
