/** What the objects of one kind in a request are made of, as far as the gateway acts on them. */
export interface KnownFields {
  readonly names: ReadonlySet<string>
  /** What a field holds: an object, or a list of them. Data of the caller's own, such as a JSON Schema, is not among them. */
  readonly inner: ReadonlyMap<string, KnownFields>
}

const fields = (names: string, inner: Readonly<Record<string, KnownFields>> = {}): KnownFields => ({
  names: new Set(names.split(' ')),
  inner: new Map(Object.entries(inner)),
})

const FUNCTION = fields('name description parameters arguments strict')
const PART = fields('type text refusal image_url input_audio file source thinking tool_use_id id name input content', {
  image_url: fields('url detail'),
})
const MESSAGE = fields(
  'role content name tool_calls tool_call_id function_call refusal reasoning_content reasoning content_blocks prefix type call_id output arguments',
  { content: PART, tool_calls: fields('id type function', { function: FUNCTION }), function_call: FUNCTION },
)
/** Of Gemini. */
const CONTENT = fields('role parts', {
  parts: fields(
    'text thought thoughtSignature thought_signature inlineData inline_data fileData file_data functionCall function_call functionResponse function_response',
  ),
})
const FORMAT = fields('type json_schema schema name strict', {
  json_schema: fields('name description schema strict'),
})

/**
 * The fields of a request that a policy, a limit, an allow list or an adapter acts on, under the names of the reference and
 * of the providers' own formats that pass through. `known-fields.test.ts` keeps it in step with the adapters.
 */
export const REQUEST_FIELDS: KnownFields = fields(
  [
    // Chat, completions and embeddings of the reference.
    'model messages prompt input stream stream_options n best_of echo suffix max_tokens max_completion_tokens',
    'temperature top_p stop presence_penalty frequency_penalty seed logit_bias logprobs top_logprobs user',
    'safety_identifier metadata store service_tier prompt_cache_key prompt_cache_retention verbosity modalities audio',
    'prediction web_search_options reasoning_effort response_format tools tool_choice parallel_tool_calls functions',
    'function_call moderation dimensions encoding_format',
    // Rerank and OCR.
    'top_n return_documents max_tokens_per_doc priority rank_fields parameters document pages include_image_base64',
    'image_limit image_min_size document_annotation_prompt document_annotation_format bbox_annotation_format table_format',
    'extract_header extract_footer include_blocks confidence_scores_granularity',
    // Responses, images, audio.
    'instructions max_output_tokens previous_response_id conversation background include reasoning text truncation',
    'max_tool_calls size quality voice language output_compression',
    'style output_format output_compression partial_images stream_format file url timestamp_granularities diarize keywords',
    'min_speakers max_speakers sample_rate ref_audio bit_rate extra_params response_encoding height width steps',
    'guidance_scale negative_prompt image_url reference_images image_loras disable_safety_checker aspect_ratio resolution',
    'input_references style_preset strength cfg_scale grow_mask image mask left right up down creativity search_prompt',
    'select_prompt',
    'enable_logging optimize_streaming_latency voice_settings language_code previous_text next_text',
    'previous_request_ids next_request_ids pronunciation_dictionary_locators apply_text_normalization',
    'apply_language_text_normalization use_pvc_as_ivc languages chunking_strategy use_multi_channel',
    'diarization_threshold num_speakers detect_speaker_roles use_speaker_library entity_detection',
    'entity_redaction entity_redaction_mode file_format keyterms no_verbatim tag_audio_events custom_intent',
    'custom_intent_mode custom_topic custom_topic_mode detect_entities detect_language diarize_model dictation',
    'encoding extra filler_words intents keyterm measurements mip_opt_out multichannel numerals paragraphs',
    'profanity_filter punctuate redact replace search sentiment smart_format summarize tag topics utt_split',
    'utterances version',
    // Formats of other providers, and what some of them add to the reference's.
    'system stop_sequences max_tokens_to_sample top_k min_p thinking output_config cache_control container mcp_servers',
    'context_management inference_geo speed safety_settings repetition_penalty random_seed safe_prompt prompt_mode',
    'provider models route transforms plugins extra_body contents documents query think options format keep_alive raw',
    'chat_template_kwargs citation_options compliance compound_custom context_length_exceeded_behavior debug',
    'disable_tool_validation exclude_domains guardrails image_config include_domains include_reasoning min_tokens',
    'output_dimension output_dtype prompt_cache_options prompt_logprobs reasoning_format safety_model search_settings',
    'session_id stop_server_tools_when top_a top_prompt_logprobs trace clear_thinking deferred disable_reasoning disable_search',
    'do_sample enable_search enable_thinking image_domain_filter language_preference last_updated_after_filter',
    'last_updated_before_filter parallel_function_calling preserve_thinking reasoning_history repeat_penalty return_images',
    'return_related_questions search_after_date_filter search_before_date_filter search_domain_filter',
    'search_language_filter search_mode search_options search_parameters search_recency_filter separate_reasoning',
    'stream_mode thinking_budget tool_stream',
    // Gemini, whose fields may be in snake case too.
    'systemInstruction system_instruction generationConfig generation_config toolConfig tool_config serviceTier content',
    'requests generateContentRequest generate_content_request outputDimensionality output_dimensionality',
    'task_type title input_type truncate task late_chunking normalized embedding_type embedding_types strict_tools safety_mode',
    'additionalModelRequestFields additionalModelResponseFieldPaths anthropic_beta guardrailConfig guardrail_config outputConfig',
    'performanceConfig promptVariables requestMetadata anthropic_version output_format normalize negative_prompt',
    // Bodies of prompts and of the old routes.
    'config params variables',
  ].join(' '),
  {
    messages: MESSAGE,
    input: MESSAGE,
    system: PART,
    stream_options: fields('include_usage include_obfuscation'),
    contents: CONTENT,
    content: CONTENT,
    systemInstruction: CONTENT,
    system_instruction: CONTENT,
    requests: fields('model content outputDimensionality output_dimensionality', { content: CONTENT }),
    tools: fields('type function name description parameters strict', { function: FUNCTION }),
    functions: FUNCTION,
    tool_choice: fields('type function name', { function: fields('name') }),
    response_format: FORMAT,
  },
)

/** The fields of a message of MCP that decide where it goes and what it does there. Arguments of tools are the caller's own. */
export const MCP_FIELDS: KnownFields = fields('jsonrpc id method params result error', {
  params: fields('name uri arguments cursor ref protocolVersion', { ref: fields('type name uri') }),
})

/**
 * The name that a reader which ignores case takes a name for. Go's `encoding/json` does, with the Unicode simple folding:
 * besides the capitals, two characters outside of ASCII fold to letters, the Kelvin sign and the long s
 * (source: encoding/json, `foldName`, and unicode.SimpleFold; read 2026-11-22).
 */
export const foldedName = (name: string): string => name.toLowerCase().replaceAll('\u017f', 's')
