import { type CheckPowers, defineCheck, t } from '#kit'
import { excerpt, someText } from '../shared/excerpt.ts'
import { GRACE_MS, inTime } from '../shared/in-time.ts'
import { NOT, shown, turned } from '../shared/parameters.ts'

/** Different URLs that are asked, at most. */
const MAX_URLS = 50

const TIMEOUT_MS = 3_000

export const validUrls = defineCheck({
  id: 'default.validUrls',
  summary: 'Passes when there are URLs in the texts, and all of them lead somewhere.',
  parameters: t.Object({
    onlyDNS: t.Boolean({ default: false, description: 'Only names are looked up; nothing is asked of the servers.' }),
    not: NOT,
  }),
  stages: ['input', 'output'],
  needs: ['fetch', 'resolves'],
  deadlineMs: TIMEOUT_MS + GRACE_MS,
  async run({ texts, kinds }, { onlyDNS, not }, powers) {
    const text = someText({ texts, kinds })
    const urls = urlsIn(texts)
    const isTooMany = urls.length > MAX_URLS
    const areValid =
      urls.length === 0 || isTooMany ? [] : await Promise.all(urls.map((url) => isValid(url, onlyDNS, powers)))
    const invalid = urls.filter((_, index) => areValid[index] !== true)
    const verdict = areValid.length > 0 && turned(invalid.length === 0, not)
    return {
      verdict,
      data: {
        verdict,
        not,
        validUrls: shown(urls.filter((_, index) => areValid[index] === true)),
        invalidUrls: shown(invalid),
        validationMethod: onlyDNS ? 'DNS lookup' : 'HTTP request',
        explanation: explanationOf(urls.length, invalid.length),
        textExcerpt: excerpt(text),
      },
    }
  },
})

const explanationOf = (urls: number, invalid: number): string => {
  if (urls === 0) return 'There are no URLs in the text.'
  if (urls > MAX_URLS) return `There are more than ${MAX_URLS} URLs in the text.`
  return invalid === 0 ? 'All URLs lead somewhere.' : `Of ${urls} URLs, ${invalid} lead nowhere.`
}

/** Each once. What ends a sentence, or closes a bracket that was opened before, is no part of one. */
const urlsIn = (texts: readonly string[]): readonly string[] => {
  const found = new Set<string>()
  for (const text of texts) {
    for (const [url] of text.matchAll(/https?:\/\/[^\s,"'{}[\]<>`|\\^]+/g)) {
      found.add(withoutEnd(url))
      if (found.size > MAX_URLS) return [...found]
    }
  }
  return [...found]
}

const withoutEnd = (url: string): string => {
  let end = url.length
  while (end > 0 && '.;:!?*_'.includes(url[end - 1] ?? '')) end--
  const cut = url.slice(0, end)
  return cut.endsWith(')') && !cut.includes('(') ? withoutEnd(cut.slice(0, -1)) : cut
}

const isValid = async (url: string, onlyDNS: boolean, powers: CheckPowers): Promise<boolean> => {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  try {
    if (onlyDNS) return await inTime(powers.resolves(parsed.hostname), TIMEOUT_MS)
    const { status } = await inTime(powers.fetch(url, { method: 'HEAD' }), TIMEOUT_MS)
    // 405: it is there, and does not know HEAD.
    return (status >= 200 && status < 400) || status === 405
  } catch {
    return false
  }
}
