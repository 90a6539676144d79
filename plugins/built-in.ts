import type { Endpoint, Parts, Plugin } from '#kit'
import { assistantEndpoints } from './endpoints/assistants/index.ts'
import { audioEndpoints } from './endpoints/audio/index.ts'
import azurePaths from './endpoints/azure-paths/index.ts'
import { batchEndpoints } from './endpoints/batches/endpoints.ts'
import batches from './endpoints/batches/index.ts'
import chatCompletions from './endpoints/chat-completions.ts'
import completions from './endpoints/completions.ts'
import embeddings from './endpoints/embeddings.ts'
import { fileEndpoints } from './endpoints/files/endpoints.ts'
import files from './endpoints/files/index.ts'
import { fineTuningEndpoints } from './endpoints/fine-tuning/index.ts'
import { geminiBridges, geminiEndpoints } from './endpoints/gemini/index.ts'
import { imageEndpoints } from './endpoints/images/index.ts'
import { mcpEndpoints } from './endpoints/mcp/endpoints.ts'
import mcp from './endpoints/mcp/index.ts'
import { countByChat, messages, messagesByChat, messagesCountTokens } from './endpoints/messages/index.ts'
import { modelBridges, modelEndpoints } from './endpoints/models/index.ts'
import moderations from './endpoints/moderations.ts'
import ocr from './endpoints/ocr.ts'
import passThrough from './endpoints/pass-through/index.ts'
import prompt from './endpoints/prompt/index.ts'
import proxy from './endpoints/proxy.ts'
import realtime from './endpoints/realtime/index.ts'
import rerank from './endpoints/rerank.ts'
import { responseEndpoints } from './endpoints/responses/endpoints.ts'
import responses from './endpoints/responses/index.ts'
import { textByChat } from './endpoints/text-by-chat.ts'
import { vectorStoreEndpoints } from './endpoints/vector-stores/index.ts'
import defaultChecks from './guardrails/default/index.ts'
import gatewayChecks from './guardrails/gateway/index.ts'
import modelChecks from './guardrails/models/index.ts'
import partnerChecks from './guardrails/partners/index.ts'
import legacyChatComplete from './legacy/chat-complete/index.ts'
import legacyComplete from './legacy/complete/index.ts'
import legacyEmbed from './legacy/embed/index.ts'
import legacyPromptsGenerate from './legacy/prompts-generate/index.ts'
import legacyProxy from './legacy/proxy/index.ts'
import auth from './pipeline/auth/index.ts'
import cache from './pipeline/cache/index.ts'
import config from './pipeline/config/index.ts'
import guardrails from './pipeline/guardrails/index.ts'
import logging from './pipeline/logging/index.ts'
import providerCall from './pipeline/provider-call/index.ts'
import rateLimit from './pipeline/rate-limit/index.ts'
import route from './pipeline/route/index.ts'
import transform from './pipeline/transform/index.ts'
import prices from './prices/index.ts'
import anthropic from './providers/anthropic/index.ts'
import azureAi from './providers/azure-ai/index.ts'
import azureOpenai from './providers/azure-openai/index.ts'
import bedrock from './providers/bedrock/index.ts'
import cerebras from './providers/cerebras/index.ts'
import cohere from './providers/cohere/index.ts'
import dashscope from './providers/dashscope/index.ts'
import deepgram from './providers/deepgram/index.ts'
import deepinfra from './providers/deepinfra/index.ts'
import deepseek from './providers/deepseek/index.ts'
import elevenlabs from './providers/elevenlabs/index.ts'
import fireworksAi from './providers/fireworks-ai/index.ts'
import github from './providers/github/index.ts'
import google from './providers/google/index.ts'
import groq from './providers/groq/index.ts'
import huggingface from './providers/huggingface/index.ts'
import hyperbolic from './providers/hyperbolic/index.ts'
import jina from './providers/jina/index.ts'
import llamaCpp from './providers/llama-cpp/index.ts'
import lmstudio from './providers/lmstudio/index.ts'
import mistralAi from './providers/mistral-ai/index.ts'
import mock from './providers/mock/index.ts'
import moonshot from './providers/moonshot/index.ts'
import nebius from './providers/nebius/index.ts'
import novitaAi from './providers/novita-ai/index.ts'
import nvidiaNim from './providers/nvidia-nim/index.ts'
import ollama from './providers/ollama/index.ts'
import openai from './providers/openai/index.ts'
import openrouter from './providers/openrouter/index.ts'
import perplexityAi from './providers/perplexity-ai/index.ts'
import pinecone from './providers/pinecone/index.ts'
import sagemaker from './providers/sagemaker/index.ts'
import sambanova from './providers/sambanova/index.ts'
import stabilityAi from './providers/stability-ai/index.ts'
import togetherAi from './providers/together-ai/index.ts'
import vertexAi from './providers/vertex-ai/index.ts'
import vllm from './providers/vllm/index.ts'
import voyage from './providers/voyage/index.ts'
import workersAi from './providers/workers-ai/index.ts'
import xai from './providers/xai/index.ts'
import zai from './providers/zai/index.ts'

/** Kinds of call that are always served. */
export const builtInEndpoints: readonly Endpoint[] = [
  chatCompletions,
  completions,
  embeddings,
  messages,
  messagesCountTokens,
  ...responseEndpoints,
  ...modelEndpoints,
  moderations,
  rerank,
  ocr,
  ...geminiEndpoints,
  ...imageEndpoints,
  ...audioEndpoints,
  ...assistantEndpoints,
  ...vectorStoreEndpoints,
  ...fineTuningEndpoints,
  ...fileEndpoints,
  ...batchEndpoints,
  ...mcpEndpoints,
  proxy,
]

/** What runs whichever plugins do. */
export const builtInParts: Parts = {
  endpoints: builtInEndpoints,
  bridges: [textByChat, messagesByChat, countByChat, ...geminiBridges, ...modelBridges],
}

/** The plugins that ship with Weir, by what they bring. Imported by name, so that a single-file executable holds them. */
export const builtInsByKind = {
  stage: [
    logging,
    auth,
    responses,
    files,
    batches,
    mcp,
    config,
    rateLimit,
    route,
    guardrails,
    cache,
    transform,
    providerCall,
  ],
  route: [
    prompt,
    passThrough,
    realtime,
    azurePaths,
    legacyProxy,
    legacyComplete,
    legacyChatComplete,
    legacyEmbed,
    legacyPromptsGenerate,
  ],
  provider: [
    openai,
    azureOpenai,
    azureAi,
    anthropic,
    google,
    vertexAi,
    bedrock,
    sagemaker,
    groq,
    mistralAi,
    togetherAi,
    openrouter,
    deepseek,
    xai,
    perplexityAi,
    fireworksAi,
    cerebras,
    nebius,
    deepinfra,
    huggingface,
    workersAi,
    github,
    dashscope,
    moonshot,
    zai,
    sambanova,
    novitaAi,
    hyperbolic,
    nvidiaNim,
    ollama,
    vllm,
    lmstudio,
    llamaCpp,
    cohere,
    voyage,
    jina,
    pinecone,
    elevenlabs,
    deepgram,
    stabilityAi,
    mock,
  ],
  check: [defaultChecks, gatewayChecks, modelChecks, partnerChecks],
  prices: [prices],
} as const satisfies Record<string, readonly Plugin[]>

/** All of them, in the order in which they are set up. */
export const builtInPlugins: readonly Plugin[] = Object.values(builtInsByKind).flat()
