const known: ReadonlySet<string> = new Set(
  `messages model audio frequency_penalty logit_bias logprobs max_completion_tokens max_tokens metadata modalities
   moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
   prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream
   stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(
    /\s+/,
  ),
);

/** The first top-level key that the provider does not take, or null. The old `functions` are not taken either. */
export function unknownArgument(body: object): string | null {
  return Object.keys(body).find((key) => !known.has(key)) ?? null;
}
