/** What the gateway says of itself in the head of the page. */
const said = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** In front of each path, as this browser sees it: empty, or `/llm`. */
export const PREFIX = said('weir-prefix')

/** In front of what probes ask, which has no prefix of the operator's. */
export const PROBES = said('weir-probes')

/** Leave for style sheets that are made in the browser. */
export const STYLE_NONCE = said('csp-nonce')

/** Where clients reach this gateway. */
export const GATEWAY_URL = `${location.origin}${PREFIX}`
