/** One activation of an agent, as its parent counts outcomes and as a run waits for one. */
export const activationKey = (of: { readonly agentId: string; readonly activation: number }): string =>
  `${of.agentId}/${of.activation}`;
