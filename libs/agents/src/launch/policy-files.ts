import type { AgentDefinition, Profile, ProfileName, Result } from '#policy';

export type DefinitionTier = 'bundled' | 'user' | 'project';

export interface ResolvedDefinition {
  readonly tier: DefinitionTier;
  readonly definition: AgentDefinition;
}

/** Which tiers may be read: bare and safe mode refuse everything local (spec 02 §4). */
export interface LocalCustomisation {
  readonly projectRoot: string;
  readonly safeMode: boolean;
  readonly bareMode: boolean;
}

/** Where profiles and definitions come from. Read once, at launch; never at revival. */
export abstract class PolicyFiles {
  abstract readProfile(from: LocalCustomisation, name: ProfileName): Promise<Result<Profile>>;
  abstract readDefinition(from: LocalCustomisation, name: string): Promise<Result<ResolvedDefinition>>;
}
