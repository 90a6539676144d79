/** How the secrets of a service look. */
export interface Shape {
  readonly category: string
  /** What they begin with, three characters or more. */
  readonly prefixes: readonly string[]
  /** Sticky. Of fixed or bounded repetitions of single characters, so that a search takes time in proportion to its text. */
  readonly pattern: RegExp
}

/** Characters of the longest secret. */
export const MAX_SECRET = 4_000

const shape = (category: string, prefixes: string, pattern: RegExp): Shape => ({
  category,
  prefixes: prefixes.split(' '),
  pattern,
})

/**
 * Forms of keys and tokens, as their services document them and open scanners know them: GitHub's list of supported secret
 * scanning patterns, the rules of gitleaks (config/gitleaks.toml, July 2026), Microsoft's provider table of Azure DevOps secret
 * scanning (2025). Where those ask for an exact length, the beginning of one is enough here: a cut key is a leak as well.
 */
export const SHAPES: readonly Shape[] = [
  // Models
  shape('ANTHROPIC_KEY', 'sk-ant-', /sk-ant-[a-z]{3,8}\d{2}-[\w-]{24,200}/y),
  shape('OPENAI_KEY', 'sk-proj- sk-svcacct- sk-admin-', /sk-(?:proj|svcacct|admin)-[\w-]{24,200}/y),
  shape('OPENROUTER_KEY', 'sk-or-', /sk-or-v\d-[\da-f]{32,64}/y),
  // OpenAI's earlier keys, and those of many that took over its form.
  shape('API_KEY', 'sk-', /sk-[A-Za-z\d]{32,64}/y),
  shape('GROQ_KEY', 'gsk_', /gsk_[A-Za-z\d]{32,80}/y),
  shape('XAI_KEY', 'xai-', /xai-[A-Za-z\d]{48,100}/y),
  shape('PERPLEXITY_KEY', 'pplx-', /pplx-[A-Za-z\d]{32,64}/y),
  shape('HUGGINGFACE_TOKEN', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z\d]{30,40}/y),
  shape('REPLICATE_TOKEN', 'r8_', /r8_[A-Za-z\d]{30,40}/y),
  shape('NVIDIA_KEY', 'nvapi-', /nvapi-[\w-]{40,80}/y),
  shape('LANGSMITH_KEY', 'lsv2_', /lsv2_(?:pt|sk)_[\da-f]{32}_[\da-f]{10}/y),
  shape('JINA_KEY', 'jina_', /jina_[\w-]{40,70}/y),
  // Clouds
  shape('AWS_ACCESS_KEY', 'AKIA ASIA ABIA ACCA', /A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z\d])/y),
  shape('AWS_BEDROCK_KEY', 'ABSK bedrock-api-key-', /(?:ABSK|bedrock-api-key-)[A-Za-z\d+/]{60,1600}={0,2}/y),
  shape('GOOGLE_KEY', 'AIza', /AIza[\w-]{35}/y),
  shape('GOOGLE_TOKEN', 'ya29. GOCSPX-', /(?:ya29\.|GOCSPX-)[\w.-]{24,300}/y),
  shape('DIGITALOCEAN_TOKEN', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[\da-f]{64}/y),
  shape('DATABRICKS_TOKEN', 'dapi', /dapi[\da-f]{32}(?:-\d)?/y),
  shape('ALIBABA_KEY', 'LTAI', /LTAI[A-Za-z\d]{20}(?![A-Za-z\d])/y),
  shape('CLOUDFLARE_KEY', 'v1.0-', /v1\.0-[\da-f]{24}-[\da-f]{146}/y),
  shape('HEROKU_KEY', 'HRKU-', /HRKU-[\w-]{40,64}/y),
  shape('FLY_TOKEN', 'fo1_ fm1a_ fm1r_ fm2_', /f(?:o1|m1[ar]|m2)_[\w+/-]{43,1000}={0,3}/y),
  shape('SUPABASE_KEY', 'sbp_ sb_secret_', /(?:sbp_[\da-f]{40}|sb_secret_[\w-]{30,60})/y),
  // Code and its registries
  shape(
    'GITHUB_TOKEN',
    'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_',
    /(?:gh[pousr]_[A-Za-z\d]{36,255}|github_pat_\w{60,90})/y,
  ),
  shape(
    'GITLAB_TOKEN',
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-',
    /gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w.-]{20,310}/y,
  ),
  shape('NPM_TOKEN', 'npm_', /npm_[A-Za-z\d]{36}(?![A-Za-z\d])/y),
  shape('PYPI_TOKEN', 'pypi-', /pypi-AgE[\w-]{50,1000}/y),
  shape('RUBYGEMS_TOKEN', 'rubygems_', /rubygems_[\da-f]{48}/y),
  shape('SOURCEGRAPH_TOKEN', 'sgp_', /sgp_(?:(?:[\dA-Fa-f]{16}|local)_)?[\dA-Fa-f]{40}/y),
  shape('POSTMAN_KEY', 'PMAK-', /PMAK-[\dA-Fa-f]{24}-[\dA-Fa-f]{34}/y),
  // What companies run on
  shape(
    'SLACK_TOKEN',
    'xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxe- xoxe. xapp-',
    /(?:xox[abeoprs]|xapp)[-.][A-Za-z\d.-]{20,250}/y,
  ),
  shape('SLACK_WEBHOOK', 'hooks.slack.com', /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z\d+/]{30,80}/y),
  shape(
    'STRIPE_KEY',
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_',
    /[sr]k_(?:live|test|prod)_[A-Za-z\d]{16,250}/y,
  ),
  shape('WEBHOOK_SECRET', 'whsec_', /whsec_[A-Za-z\d+/]{24,90}={0,2}/y),
  shape('SENDGRID_KEY', 'SG.', /SG\.[\w-]{16,32}\.[\w-]{32,64}/y),
  shape('MAILGUN_KEY', 'key-', /key-[\da-f]{32}(?![A-Za-z\d])/y),
  shape(
    'TWILIO_KEY',
    'SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf',
    /SK[\da-f]{32}(?![A-Za-z\d])/y,
  ),
  shape('SHOPIFY_TOKEN', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[\dA-Fa-f]{32}/y),
  shape('SQUARE_TOKEN', 'sq0atp- sq0csp- EAAA', /(?:sq0(?:atp|csp)-[\w-]{22,60}|EAAA[\w-]{56,64}(?![\w-]))/y),
  shape('LINEAR_KEY', 'lin_api_', /lin_api_[A-Za-z\d]{32,64}/y),
  shape('NOTION_TOKEN', 'ntn_', /ntn_\d{11}[A-Za-z\d]{30,40}/y),
  shape('ATLASSIAN_TOKEN', 'ATATT3', /ATATT3[\w=-]{60,300}/y),
  shape('AIRTABLE_TOKEN', 'pat', /pat[A-Za-z\d]{14}\.[\da-f]{64}/y),
  shape('NEW_RELIC_KEY', 'NRAK- NRII-', /NR(?:AK|II)-[A-Za-z\d-]{27,32}/y),
  shape('GRAFANA_TOKEN', 'glsa_ glc_', /(?:glsa_[A-Za-z\d]{32}_[\dA-Fa-f]{8}|glc_[A-Za-z\d+/]{32,400}={0,3})/y),
  shape('SENTRY_TOKEN', 'sntrys_ sntryu_', /sntry[su]_[\w+/=-]{60,500}/y),
  shape('DOPPLER_TOKEN', 'dp.pt. dp.st. dp.ct.', /dp\.[psc]t\.[\w.-]{40,80}/y),
  shape('VAULT_TOKEN', 'hvs. hvb.', /hv[sb]\.[\w-]{24,300}/y),
  shape('TERRAFORM_TOKEN', 'atlasv1.', /atlasv1\.[\w-]{60,70}/y),
  shape('PULUMI_TOKEN', 'pul-', /pul-[\da-f]{40}(?![A-Za-z\d])/y),
  shape('PLANETSCALE_TOKEN', 'pscale_', /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/y),
  shape('ONEPASSWORD_TOKEN', 'ops_', /ops_eyJ[A-Za-z\d+/]{60,2000}={0,3}/y),
  shape('AGE_KEY', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z\d]{58}/y),
  // RFC 7519: header and claims are JSON objects, which begin with `{"`.
  shape('JWT', 'eyJ', /eyJ[\w-]{10,1000}\.eyJ[\w-]{10,2500}(?:\.[\w-]{0,480})?/y),
]

/** Azure marks its keys in their midst: client secrets of Entra ID, and keys of its services (Microsoft Security Utilities). */
export const AZURE: Shape = {
  category: 'AZURE_KEY',
  prefixes: [],
  pattern: /(?:[\w~.]{3}\dQ~[\w~.-]{31,34}|[A-Za-z\d]{52}JQQJ9[9DH][A-L][A-Za-z\d]{24,30})/y,
}
export const AZURE_MARKS: readonly { readonly mark: string; readonly behind: number }[] = [
  { mark: 'Q~', behind: 4 },
  { mark: 'JQQJ9', behind: 52 },
]
