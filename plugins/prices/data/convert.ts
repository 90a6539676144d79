/**
 * `bun plugins/prices/data/convert.ts facts.json`: writes `models.jsonl` anew, one model a line, from a collection of facts about
 * models. Its form: `{read: "2026-11-22", providers: {openai: {"gpt-5": {mode, price: {input: 1.25, …}, …}}}}`, prices in dollars,
 * those of tokens for a million.
 */
import { convertModels, type Facts } from './convert-models.ts'

const [, , path] = Bun.argv
if (path === undefined) {
  process.stderr.write('usage: bun plugins/prices/data/convert.ts FACTS.json\n')
  process.exit(2)
}
const facts: Facts = await Bun.file(path).json()
const { models, leftOut } = convertModels(facts)
const lines = [{ read: facts.read, models: models.length }, ...models].map((line) => JSON.stringify(line))
await Bun.write(new URL('models.jsonl', import.meta.url), `${lines.join('\n')}\n`)
process.stdout.write(`${models.length} models; left out, as no call can be matched with them: ${leftOut.join(', ')}\n`)
