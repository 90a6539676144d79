/** What the conformance suite starts as a client: it hands the address on to the test that has the gateway, and ends as that says. */
const [control = '', url = ''] = process.argv.slice(2)
const context = process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'
const response = await fetch(control, { method: 'POST', body: JSON.stringify({ url, context: JSON.parse(context) }) })
console.log(await response.text())
process.exit(response.ok ? 0 : 1)

export {}
