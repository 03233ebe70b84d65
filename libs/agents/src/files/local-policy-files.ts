import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  accepted,
  judgeCustomisation,
  MAX_DEFINITION_BYTES,
  MAX_PROFILE_BYTES,
  parseDefinition,
  parseProfile,
  parseProfileName,
  PolicyCode,
  type Profile,
  type ProfileName,
  rejected,
  type Result,
} from '#policy';
import {
  type DefinitionTier,
  type LocalCustomisation,
  PolicyFiles,
  type ResolvedDefinition,
} from '../launch/policy-files.js';
import { bundledDefinitions } from './bundled-definitions.js';
import { type FileFault, type PolicyFolder, readPolicyFile } from './read-policy-file.js';

export interface LocalPolicyFilesOptions {
  /** Relative to the project root; the default is spec 02 §4's. */
  readonly profileFolder?: string;
  readonly definitionFolder?: string;
  /** The user's definitions; absent means `~/.qwen/agents`. */
  readonly userFolder?: string;
}

const faults: Readonly<Record<FileFault, string>> = {
  missing: 'does not exist',
  not_a_file: 'is not a regular file',
  outside: 'does not lie inside its folder',
  too_large: 'is too large',
  unreadable: 'cannot be read',
};

/** Profiles and definitions of a project, a user and the product, read from files at launch. */
export class LocalPolicyFiles extends PolicyFiles {
  private readonly profileFolder: string;
  private readonly definitionFolder: string;
  private readonly userFolder: string;

  constructor(options: LocalPolicyFilesOptions = {}) {
    super();
    this.profileFolder = options.profileFolder ?? join('.qwen', 'fork-profiles');
    this.definitionFolder = options.definitionFolder ?? join('.qwen', 'agents');
    this.userFolder = options.userFolder ?? join(homedir(), '.qwen', 'agents');
  }

  /** One scope, the project's: no user, bundled or inherited profiles. Bare mode refuses first, then safe mode. */
  async readProfile(from: LocalCustomisation, name: ProfileName): Promise<Result<Profile>> {
    const trusted = judgeCustomisation(from, 'fork_profile');
    if (!trusted.ok) return trusted;
    const folder = { within: from.projectRoot, folder: join(from.projectRoot, this.profileFolder) };
    const file = await readPolicyFile(folder, `${name}.md`, MAX_PROFILE_BYTES);
    if (file.ok) return parseProfile(file.bytes, name);
    return refuseProfile(
      name,
      `The file ${this.profileFolder}/${name}.md ${faults[file.fault]}.`,
      file.fault === 'too_large' ? 'size' : 'file',
    );
  }

  /** Later tiers win: bundled, user, project. The requested one is never replaced by another tier's when it is malformed. */
  async readDefinition(from: LocalCustomisation, name: string): Promise<Result<ResolvedDefinition>> {
    const trusted = judgeCustomisation(from, 'agent definition');
    const local = trusted.ok ? await this.readLocal(from.projectRoot, name) : null;
    if (local !== null) return local;
    const bundled = bundledDefinitions.get(name);
    if (bundled !== undefined) return resolved('bundled', bundled, name);
    if (!trusted.ok) return trusted;
    const bundledNames = [...bundledDefinitions.keys()].join(' and ');
    return refuseDefinition(
      name,
      `No agent definition is called ${shown(name)}; bundled ones are ${bundledNames}.`,
    );
  }

  /** The definition of the project, else of the user; null where neither has one of that name. */
  private async readLocal(projectRoot: string, name: string): Promise<Result<ResolvedDefinition> | null> {
    const fileName = parseProfileName(name);
    if (!fileName.ok) return null;
    const project = { within: projectRoot, folder: join(projectRoot, this.definitionFolder) };
    const user = { within: null, folder: this.userFolder };
    return (
      (await this.readTier('project', project, fileName.value)) ??
      (await this.readTier('user', user, fileName.value))
    );
  }

  private async readTier(
    tier: DefinitionTier,
    folder: PolicyFolder,
    name: ProfileName,
  ): Promise<Result<ResolvedDefinition> | null> {
    const file = await readPolicyFile(folder, `${name}.md`, MAX_DEFINITION_BYTES);
    if (file.ok) return resolved(tier, file.bytes, name);
    return file.fault === 'missing'
      ? null
      : refuseDefinition(name, `The ${tier} definition "${name}" ${faults[file.fault]}.`);
  }
}

/** A name from a call, cut to what a message can hold. */
const shown = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}...` : name);

function resolved(tier: DefinitionTier, file: Uint8Array | string, name: string): Result<ResolvedDefinition> {
  const definition = parseDefinition(file);
  if (!definition.ok) return definition;
  if (definition.value.name !== name)
    return refuseDefinition(name, `The ${tier} definition "${name}" calls itself something else.`);
  return accepted({ tier, definition: definition.value });
}

function refuseProfile(name: string, message: string, reason: 'file' | 'size' = 'file'): Result<Profile> {
  return rejected(PolicyCode.PROFILE_FILE_INVALID, message, {
    offenders: [name],
    parameter: 'fork_profile',
    reason,
  });
}

function refuseDefinition(name: string, message: string): Result<ResolvedDefinition> {
  return rejected(PolicyCode.DEFINITION_INVALID, message, {
    offenders: [name],
    parameter: 'subagent_type',
    reason: 'file',
  });
}
