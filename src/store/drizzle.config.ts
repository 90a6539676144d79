import { defineConfig } from 'drizzle-kit'

/** `bunx drizzle-kit generate --config src/store/drizzle.config.ts`, then add the new file to `migration-index.ts`. */
export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: './src/store/schema/*.ts',
  out: './src/store/migrations',
})
