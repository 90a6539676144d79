export interface paths {
    "/v1/prompts/{promptId}/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prompts/{promptId}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["renderPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prompts/{promptId}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSignInPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sign-in/issuers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSignInIssuers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sign-in/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sign-in/callback/{issuer}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sign-in/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signInByKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sign-in/out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuthorizationServerBehindPrefix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["askPerson"];
        put?: never;
        post: operations["answerApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/mcp/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startMcpLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/mcp/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishMcpLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/organisation/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganisationSettings"];
        put: operations["putOrganisationSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSessions"];
        put?: never;
        post?: never;
        delete: operations["deleteSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteSessionsBySessionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsersByUserId"];
        put: operations["putUsersByUserId"];
        post?: never;
        delete: operations["deleteUsersByUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/users/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsersInvites"];
        put?: never;
        post: operations["postUsersInvites"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/users/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsersInvitesByInviteId"];
        put?: never;
        post?: never;
        delete: operations["deleteUsersInvitesByInviteId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/users/invites/{inviteId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postUsersInvitesByInviteIdResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postInvitesAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspaces"];
        put?: never;
        post: operations["postWorkspaces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/workspaces/{workspace}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspacesByWorkspace"];
        put: operations["putWorkspacesByWorkspace"];
        post?: never;
        delete: operations["deleteWorkspacesByWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workspaces/{workspace}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspacesByWorkspaceUsers"];
        put?: never;
        post: operations["postWorkspacesByWorkspaceUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workspaces/{workspace}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspacesByWorkspaceUsersByUserId"];
        put: operations["putWorkspacesByWorkspaceUsersByUserId"];
        post?: never;
        delete: operations["deleteWorkspacesByWorkspaceUsersByUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeysService"];
        put?: never;
        post: operations["postApiKeysService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeysUser"];
        put?: never;
        post: operations["postApiKeysUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/api-keys/organisation/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postApiKeysOrganisationService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getApiKeysById"];
        put: operations["putApiKeysById"];
        post?: never;
        delete: operations["deleteApiKeysById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postApiKeysByIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/api-keys/{id}/rotated-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postApiKeysByIdRotatedKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIntegrations"];
        put?: never;
        post: operations["postIntegrations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/integrations/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIntegrationsBySlug"];
        put: operations["putIntegrationsBySlug"];
        post?: never;
        delete: operations["deleteIntegrationsBySlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/integrations/{slug}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIntegrationsBySlugModels"];
        put: operations["putIntegrationsBySlugModels"];
        post?: never;
        delete: operations["deleteIntegrationsBySlugModels"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/integrations/{slug}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getIntegrationsBySlugWorkspaces"];
        put: operations["putIntegrationsBySlugWorkspaces"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/secret-references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSecretReferences"];
        put?: never;
        post: operations["postSecretReferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/secret-references/{secretReferenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSecretReferencesBySecretReferenceId"];
        put: operations["putSecretReferencesBySecretReferenceId"];
        post?: never;
        delete: operations["deleteSecretReferencesBySecretReferenceId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProviders"];
        put?: never;
        post: operations["postProviders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/providers/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProvidersBySlug"];
        put: operations["putProvidersBySlug"];
        post?: never;
        delete: operations["deleteProvidersBySlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/virtual-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVirtualKeys"];
        put?: never;
        post: operations["postVirtualKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/virtual-keys/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getVirtualKeysBySlug"];
        put: operations["putVirtualKeysBySlug"];
        post?: never;
        delete: operations["deleteVirtualKeysBySlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getModelsByModel"];
        put?: never;
        post?: never;
        delete: operations["deleteModelsByModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/model-configs/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getModelConfigsPricing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/model-configs/pricing/{provider}/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getModelConfigsPricingByProviderByModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfigs"];
        put?: never;
        post: operations["postConfigs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/configs/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfigsBySlug"];
        put: operations["putConfigsBySlug"];
        post?: never;
        delete: operations["deleteConfigsBySlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/configs/{slug}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfigsBySlugVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/configs/{slug}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConfigsBySlugVersionsByVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/configs/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postConfigsEvaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGuardrails"];
        put?: never;
        post: operations["postGuardrails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/guardrails/{guardrailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGuardrailsByGuardrailId"];
        put: operations["putGuardrailsByGuardrailId"];
        post?: never;
        delete: operations["deleteGuardrailsByGuardrailId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/guardrails/{guardrailId}/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGuardrailsByGuardrailIdMcpServers"];
        put: operations["putGuardrailsByGuardrailIdMcpServers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/guardrails/{guardrailId}/mcp-servers/{mcpServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putGuardrailsByGuardrailIdMcpServersByMcpServerId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/guardrails/{guardrailId}/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postGuardrailsByGuardrailIdEvaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAdminV2Guardrails"];
        put?: never;
        post: operations["postAdminV2Guardrails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/guardrails/{guardrailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAdminV2GuardrailsByGuardrailId"];
        put: operations["putAdminV2GuardrailsByGuardrailId"];
        post?: never;
        delete: operations["deleteAdminV2GuardrailsByGuardrailId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/guardrails/{guardrailId}/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAdminV2GuardrailsByGuardrailIdMcpServers"];
        put: operations["putAdminV2GuardrailsByGuardrailIdMcpServers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/guardrails/{guardrailId}/mcp-servers/{mcpServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putAdminV2GuardrailsByGuardrailIdMcpServersByMcpServerId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/guardrails/{guardrailId}/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postAdminV2GuardrailsByGuardrailIdEvaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/organisation/defaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganisationDefaults"];
        put: operations["putOrganisationDefaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/workspace-exclusions/input-guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspaceExclusionsInputGuardrails"];
        put: operations["putWorkspaceExclusionsInputGuardrails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/workspace-exclusions/output-guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspaceExclusionsOutputGuardrails"];
        put: operations["putWorkspaceExclusionsOutputGuardrails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeployments"];
        put?: never;
        post: operations["postDeployments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/deployments/{deploymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeploymentsByDeploymentId"];
        put: operations["putDeploymentsByDeploymentId"];
        post?: never;
        delete: operations["deleteDeploymentsByDeploymentId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/deployments/{deploymentId}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeploymentsByDeploymentIdPing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpIntegrations"];
        put?: never;
        post: operations["postMcpIntegrations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations/{integration}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpIntegrationsByIntegration"];
        put: operations["putMcpIntegrationsByIntegration"];
        post?: never;
        delete: operations["deleteMcpIntegrationsByIntegration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations/{integration}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postMcpIntegrationsByIntegrationTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations/{integration}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postMcpIntegrationsByIntegrationSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations/{integration}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpIntegrationsByIntegrationMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations/{integration}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpIntegrationsByIntegrationCapabilities"];
        put: operations["putMcpIntegrationsByIntegrationCapabilities"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/mcp-integrations/{integration}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpIntegrationsByIntegrationWorkspaces"];
        put: operations["putMcpIntegrationsByIntegrationWorkspaces"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpServers"];
        put?: never;
        post: operations["postMcpServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers/{server}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpServersByServer"];
        put: operations["putMcpServersByServer"];
        post?: never;
        delete: operations["deleteMcpServersByServer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers/{server}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postMcpServersByServerTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers/{server}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpServersByServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers/{server}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpServersByServerCapabilities"];
        put: operations["putMcpServersByServerCapabilities"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers/{server}/user-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpServersByServerUserAccess"];
        put: operations["putMcpServersByServerUserAccess"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/mcp-servers/{server}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMcpServersByServerConnections"];
        put?: never;
        post?: never;
        delete: operations["deleteMcpServersByServerConnections"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWellKnownJwksJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0.1/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getV01Servers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCollections"];
        put?: never;
        post: operations["postCollections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/collections/{collectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCollectionsByCollectionId"];
        put: operations["putCollectionsByCollectionId"];
        post?: never;
        delete: operations["deleteCollectionsByCollectionId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/partials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPromptsPartials"];
        put?: never;
        post: operations["postPromptsPartials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/partials/{partialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPromptsPartialsByPartialId"];
        put: operations["putPromptsPartialsByPartialId"];
        post?: never;
        delete: operations["deletePromptsPartialsByPartialId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/partials/{partialId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPromptsPartialsByPartialIdVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/partials/{partialId}/makeDefault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putPromptsPartialsByPartialIdMakeDefault"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPrompts"];
        put?: never;
        post: operations["postPrompts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/{promptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPromptsByPromptId"];
        put: operations["putPromptsByPromptId"];
        post?: never;
        delete: operations["deletePromptsByPromptId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/{promptId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPromptsByPromptIdVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/{promptId}/versions/{versionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPromptsByPromptIdVersionsByVersionId"];
        put: operations["putPromptsByPromptIdVersionsByVersionId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/prompts/{promptId}/makeDefault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putPromptsByPromptIdMakeDefault"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLabels"];
        put?: never;
        post: operations["postLabels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/labels/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLabelsByLabelId"];
        put: operations["putLabelsByLabelId"];
        post?: never;
        delete: operations["deleteLabelsByLabelId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/rate-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPoliciesRateLimits"];
        put?: never;
        post: operations["postPoliciesRateLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/rate-limits/{rateLimitsPolicyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPoliciesRateLimitsByRateLimitsPolicyId"];
        put: operations["putPoliciesRateLimitsByRateLimitsPolicyId"];
        post?: never;
        delete: operations["deletePoliciesRateLimitsByRateLimitsPolicyId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/rate-limits/{rateLimitsPolicyId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPoliciesRateLimitsByRateLimitsPolicyIdUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/rate-limits/{rateLimitsPolicyId}/usage/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putPoliciesRateLimitsByRateLimitsPolicyIdUsageReset"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/rate-limits/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postPoliciesRateLimitsEvaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/usage-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPoliciesUsageLimits"];
        put?: never;
        post: operations["postPoliciesUsageLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/usage-limits/{policyUsageLimitsId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPoliciesUsageLimitsByPolicyUsageLimitsId"];
        put: operations["putPoliciesUsageLimitsByPolicyUsageLimitsId"];
        post?: never;
        delete: operations["deletePoliciesUsageLimitsByPolicyUsageLimitsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/usage-limits/{policyUsageLimitsId}/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPoliciesUsageLimitsByPolicyUsageLimitsIdEntities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/usage-limits/{policyUsageLimitsId}/entities/{entityId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putPoliciesUsageLimitsByPolicyUsageLimitsIdEntitiesByEntityIdReset"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/policies/usage-limits/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postPoliciesUsageLimitsEvaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/alerts/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlertsWebhooks"];
        put?: never;
        post: operations["postAlertsWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/alerts/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAlertsWebhooksByWebhookId"];
        put: operations["putAlertsWebhooksByWebhookId"];
        post?: never;
        delete: operations["deleteAlertsWebhooksByWebhookId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/alerts/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postAlertsWebhooksByWebhookIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogs"];
        put?: never;
        post: operations["postLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogsExports"];
        put?: never;
        post: operations["postLogsExports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogsExportsByExportId"];
        put: operations["putLogsExportsByExportId"];
        post?: never;
        delete: operations["deleteLogsExportsByExportId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/exports/{exportId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postLogsExportsByExportIdStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/exports/{exportId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postLogsExportsByExportIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/exports/{exportId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogsExportsByExportIdDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/exports/{exportId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogsExportsByExportIdFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/logs/{logId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLogsByLogId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/cost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsCost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsLatency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/users/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsUsersRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/errors/rate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsErrorsRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/errors/stacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsErrorsStacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/requests/rescued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsRequestsRescued"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/cache/hit-rate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsCacheHitRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/cache/latency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsCacheLatency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/feedbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsFeedbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/feedbacks/weighted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsFeedbacksWeighted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/time-to-first-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsTimeToFirstToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/tokens-per-second": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsTokensPerSecond"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/errors/status-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsErrorsStatusCodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/feedbacks/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsFeedbacksScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/feedbacks/ai-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsFeedbacksAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/graphs/cost/metadata/{metadataKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGraphsCostMetadataByMetadataKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/summary/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsSummaryCache"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/ai-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/ai_service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsAiService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/status_code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsStatusCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/api_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/virtual_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsVirtualKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/model-performance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsModelPerformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/analytics/groups/metadata/{metadataKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsGroupsMetadataByMetadataKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/feedback/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["putFeedbackById"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v2/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ManagementError: {
            /** @constant */
            success: false;
            data: {
                message: string;
                errorCode: string | null;
            };
            error: {
                message: string;
                type: string | null;
                param: string | null;
                code: string | null;
            };
            errors?: {
                path: string;
                message: string;
            }[];
        };
        CallError: {
            error: {
                message: string;
                type: string | null;
                param: string | null;
                code: string | null;
            };
            /** @constant */
            status?: "failure";
            message?: string;
            provider?: string;
            errors?: {
                path: string;
                message: string;
            }[];
        };
        OAuthError: {
            error: string;
            error_description: string;
        };
    };
    responses: {
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        StorageFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ManagementError"];
            };
        };
        CallFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CallError"];
            };
        };
        OAuthRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    runPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    variables: Record<string, never>;
                    hyperparameters?: Record<string, never>;
                    /** @default false */
                    stream?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            "4XX": components["responses"]["CallFailed"];
            "5XX": components["responses"]["CallFailed"];
        };
    };
    renderPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    variables: Record<string, never>;
                    hyperparameters?: Record<string, never>;
                    /** @default false */
                    stream?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            "4XX": components["responses"]["CallFailed"];
            "5XX": components["responses"]["CallFailed"];
        };
    };
    getSignInPage: {
        parameters: {
            query?: {
                return_to?: string;
                invite?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["Forbidden"];
        };
    };
    listSignInIssuers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            /** @constant */
                            object: "sign_in_issuer";
                            id: string;
                            name: string;
                            start_path: string;
                        }[];
                    };
                };
            };
            403: components["responses"]["Forbidden"];
        };
    };
    startSignIn: {
        parameters: {
            query?: {
                issuer?: string;
                return_to?: string;
                invite?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    finishSignIn: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path: {
                issuer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    signInByKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    api_key: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "session";
                        id: string;
                        csrf_token: string;
                        ends_at: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            403: components["responses"]["Forbidden"];
        };
    };
    getAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            404: components["responses"]["NotFound"];
        };
    };
    getAuthorizationServerBehindPrefix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            404: components["responses"]["NotFound"];
        };
    };
    getProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            404: components["responses"]["NotFound"];
        };
    };
    askPerson: {
        parameters: {
            query?: {
                client_id?: string;
                redirect_uri?: string;
                response_type?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                resource?: string;
                scope?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    answerApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    asked: string;
                    csrf_token: string;
                    workspace: string;
                    answer: string;
                };
            };
        };
        responses: {
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    registerApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    redirect_uris: string[];
                    client_name?: string;
                    client_uri?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["OAuthRefused"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthRefused"];
        };
    };
    startMcpLogin: {
        parameters: {
            query?: {
                ticket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    finishMcpLogin: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagementError"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getOrganisationSettings: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisation_id: string;
                        name: string;
                        logs: {
                            /** @enum {unknown} */
                            bodies?: "none" | "failed" | "all";
                            retention_days?: number;
                            body_retention_days?: number;
                            redact?: string[];
                            metadata_keys?: string[];
                            /** @enum {unknown} */
                            body_readers?: "workspace" | "caller";
                        } | null;
                        /** @constant */
                        object: "organisation-settings";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putOrganisationSettings: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                        retention_days?: number;
                        body_retention_days?: number;
                        redact?: string[];
                        metadata_keys?: string[];
                        /** @enum {unknown} */
                        body_readers?: "workspace" | "caller";
                    } | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisation_id: string;
                        name: string;
                        logs: {
                            /** @enum {unknown} */
                            bodies?: "none" | "failed" | "all";
                            retention_days?: number;
                            body_retention_days?: number;
                            redact?: string[];
                            metadata_keys?: string[];
                            /** @enum {unknown} */
                            body_readers?: "workspace" | "caller";
                        } | null;
                        /** @constant */
                        object: "organisation-settings";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "session";
                        id: string | null;
                        user: {
                            id: string;
                            email: string;
                            first_name: string | null;
                            last_name: string | null;
                            /** @enum {unknown} */
                            role: "owner" | "admin" | "member";
                        } | null;
                        api_key: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            kind: "organisation-service" | "workspace-service" | "workspace-user";
                        } | null;
                        organisation_id: string;
                        workspaces: {
                            id: string;
                            slug: string;
                            name: string;
                            role: ("admin" | "manager" | "member") | null;
                        }[];
                        workspace_id: string | null;
                        scopes: string[];
                        csrf_token: string | null;
                        ends_at: string | null;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSessions: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            user_id: string | null;
                            api_key_id: string | null;
                            issuer: string | null;
                            user_agent: string | null;
                            address: string | null;
                            is_current: boolean;
                            created_at: string;
                            last_seen_at: string;
                            ends_at: string;
                            /** @constant */
                            object: "session";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteSessionsBySessionId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getUsers: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                role?: "owner" | "admin" | "member";
                email?: string;
                status?: "active" | "inactive";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            email: string;
                            first_name: string | null;
                            last_name: string | null;
                            /** @enum {unknown} */
                            role: "owner" | "admin" | "member";
                            /** @enum {unknown} */
                            status: "active" | "inactive";
                            /** @enum {unknown} */
                            source: "invite" | "sign-in" | "scim";
                            workspace_ids: string[];
                            last_sign_in_at: string | null;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "user";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsersByUserId: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        first_name: string | null;
                        last_name: string | null;
                        /** @enum {unknown} */
                        role: "owner" | "admin" | "member";
                        /** @enum {unknown} */
                        status: "active" | "inactive";
                        /** @enum {unknown} */
                        source: "invite" | "sign-in" | "scim";
                        workspace_ids: string[];
                        last_sign_in_at: string | null;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "user";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putUsersByUserId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    userId?: string;
                    /** @enum {unknown} */
                    role?: "owner" | "admin" | "member";
                    /** @enum {unknown} */
                    status?: "active" | "inactive";
                    first_name?: string | null;
                    last_name?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteUsersByUserId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getUsersInvites: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                email?: string;
                role?: "owner" | "admin" | "member";
                status?: "pending" | "cancelled" | "accepted" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            email: string;
                            /** @enum {unknown} */
                            role: "owner" | "admin" | "member";
                            workspaces: {
                                id: string;
                                /** @enum {unknown} */
                                role: "admin" | "manager" | "member";
                            }[];
                            workspace_api_key_details: {
                                scopes: string[];
                                name?: string;
                                expiry?: string;
                                metadata?: {
                                    [key: string]: string;
                                };
                            } | null;
                            /** @enum {unknown} */
                            status: "pending" | "cancelled" | "accepted" | "expired";
                            invited_by: string;
                            created_at: string;
                            expires_at: string;
                            accepted_at: string | null;
                            /** @constant */
                            object: "invite";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postUsersInvites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /** @enum {unknown} */
                    role: "owner" | "admin" | "member";
                    /** @default [] */
                    workspaces: {
                        id: string;
                        /** @enum {unknown} */
                        role: "admin" | "manager" | "member";
                    }[];
                    workspace_api_key_details?: {
                        scopes: string[];
                        name?: string;
                        expiry?: string;
                        metadata?: {
                            [key: string]: string;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        invite_link: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getUsersInvitesByInviteId: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                inviteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        /** @enum {unknown} */
                        role: "owner" | "admin" | "member";
                        workspaces: {
                            id: string;
                            /** @enum {unknown} */
                            role: "admin" | "manager" | "member";
                        }[];
                        workspace_api_key_details: {
                            scopes: string[];
                            name?: string;
                            expiry?: string;
                            metadata?: {
                                [key: string]: string;
                            };
                        } | null;
                        /** @enum {unknown} */
                        status: "pending" | "cancelled" | "accepted" | "expired";
                        invited_by: string;
                        created_at: string;
                        expires_at: string;
                        accepted_at: string | null;
                        /** @constant */
                        object: "invite";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUsersInvitesByInviteId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                inviteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postUsersInvitesByInviteIdResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                inviteId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        invite_link: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postInvitesAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    first_name?: string;
                    last_name?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        email: string;
                        /** @enum {unknown} */
                        role: "owner" | "admin" | "member";
                        organisation_id: string;
                        api_keys: {
                            id: string;
                            workspace_id: string;
                            key: string;
                        }[];
                        /** @constant */
                        object: "user";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWorkspaces: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                name?: string;
                exact_name?: string;
                status?: "active" | "archived";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            description: string | null;
                            organisation_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            is_default: boolean;
                            defaults: {
                                metadata?: {
                                    [key: string]: string;
                                };
                                config_id?: string | null;
                                input_guardrails?: string[] | null;
                                output_guardrails?: string[] | null;
                            } | null;
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            }[];
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm";
                                value: number;
                            }[];
                            logs: {
                                /** @enum {unknown} */
                                bodies?: "none" | "failed" | "all";
                                retention_days?: number;
                                body_retention_days?: number;
                                redact?: string[];
                                metadata_keys?: string[];
                                /** @enum {unknown} */
                                body_readers?: "workspace" | "caller";
                            } | null;
                            user_api_key_config: {
                                enabled: boolean;
                                scopes?: string[];
                            } | null;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "workspace";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    defaults?: {
                        metadata?: {
                            [key: string]: string;
                        };
                        config_id?: string | null;
                        input_guardrails?: string[] | null;
                        output_guardrails?: string[] | null;
                    } | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    }[] | null;
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                        retention_days?: number;
                        body_retention_days?: number;
                        redact?: string[];
                        metadata_keys?: string[];
                        /** @enum {unknown} */
                        body_readers?: "workspace" | "caller";
                    } | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm";
                        value: number;
                    }[] | null;
                    user_api_key_config?: {
                        enabled: boolean;
                        scopes?: string[];
                    } | null;
                    users?: (string | {
                        id: string;
                        /** @enum {unknown} */
                        role: "admin" | "manager" | "member";
                    })[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        description: string | null;
                        organisation_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        is_default: boolean;
                        defaults: {
                            metadata?: {
                                [key: string]: string;
                            };
                            config_id?: string | null;
                            input_guardrails?: string[] | null;
                            output_guardrails?: string[] | null;
                        } | null;
                        usage_limits: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        }[];
                        rate_limits: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[];
                        logs: {
                            /** @enum {unknown} */
                            bodies?: "none" | "failed" | "all";
                            retention_days?: number;
                            body_retention_days?: number;
                            redact?: string[];
                            metadata_keys?: string[];
                            /** @enum {unknown} */
                            body_readers?: "workspace" | "caller";
                        } | null;
                        user_api_key_config: {
                            enabled: boolean;
                            scopes?: string[];
                        } | null;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "workspace";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWorkspacesByWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        description: string | null;
                        organisation_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        is_default: boolean;
                        defaults: {
                            metadata?: {
                                [key: string]: string;
                            };
                            config_id?: string | null;
                            input_guardrails?: string[] | null;
                            output_guardrails?: string[] | null;
                        } | null;
                        usage_limits: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        }[];
                        rate_limits: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[];
                        logs: {
                            /** @enum {unknown} */
                            bodies?: "none" | "failed" | "all";
                            retention_days?: number;
                            body_retention_days?: number;
                            redact?: string[];
                            metadata_keys?: string[];
                            /** @enum {unknown} */
                            body_readers?: "workspace" | "caller";
                        } | null;
                        user_api_key_config: {
                            enabled: boolean;
                            scopes?: string[];
                        } | null;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "workspace";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkspacesByWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    defaults?: {
                        metadata?: {
                            [key: string]: string;
                        };
                        config_id?: string | null;
                        input_guardrails?: string[] | null;
                        output_guardrails?: string[] | null;
                    } | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    }[] | null;
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                        retention_days?: number;
                        body_retention_days?: number;
                        redact?: string[];
                        metadata_keys?: string[];
                        /** @enum {unknown} */
                        body_readers?: "workspace" | "caller";
                    } | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm";
                        value: number;
                    }[] | null;
                    user_api_key_config?: {
                        enabled: boolean;
                        scopes?: string[];
                    } | null;
                    reset_usage?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        description: string | null;
                        organisation_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        is_default: boolean;
                        defaults: {
                            metadata?: {
                                [key: string]: string;
                            };
                            config_id?: string | null;
                            input_guardrails?: string[] | null;
                            output_guardrails?: string[] | null;
                        } | null;
                        usage_limits: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        }[];
                        rate_limits: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[];
                        logs: {
                            /** @enum {unknown} */
                            bodies?: "none" | "failed" | "all";
                            retention_days?: number;
                            body_retention_days?: number;
                            redact?: string[];
                            metadata_keys?: string[];
                            /** @enum {unknown} */
                            body_readers?: "workspace" | "caller";
                        } | null;
                        user_api_key_config: {
                            enabled: boolean;
                            scopes?: string[];
                        } | null;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "workspace";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteWorkspacesByWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id?: string;
                    name: string;
                    /** @default false */
                    force_delete: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWorkspacesByWorkspaceUsers: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspaceId?: string;
                workspace_id?: string;
                role?: "admin" | "manager" | "member";
                email?: string;
            };
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            email: string;
                            first_name: string | null;
                            last_name: string | null;
                            /** @enum {unknown} */
                            org_role: "owner" | "admin" | "member";
                            /** @enum {unknown} */
                            role: "admin" | "manager" | "member";
                            /** @enum {unknown} */
                            status: "active" | "inactive";
                            /** @enum {unknown} */
                            source: "direct" | "scim" | "sign-in";
                            workspace_id: string;
                            scopes: string[];
                            settings: null;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "workspace_user";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postWorkspacesByWorkspaceUsers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaceId?: string;
                    workspace_id?: string;
                    users: {
                        id: string;
                        /** @enum {unknown} */
                        role: "admin" | "manager" | "member";
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWorkspacesByWorkspaceUsersByUserId: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                workspace: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        first_name: string | null;
                        last_name: string | null;
                        /** @enum {unknown} */
                        org_role: "owner" | "admin" | "member";
                        /** @enum {unknown} */
                        role: "admin" | "manager" | "member";
                        /** @enum {unknown} */
                        status: "active" | "inactive";
                        /** @enum {unknown} */
                        source: "direct" | "scim" | "sign-in";
                        workspace_id: string;
                        scopes: string[];
                        settings: null;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "workspace_user";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkspacesByWorkspaceUsersByUserId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaceId?: string;
                    workspace_id?: string;
                    userId?: string;
                    user_id?: string;
                    /** @enum {unknown} */
                    role: "admin" | "manager" | "member";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteWorkspacesByWorkspaceUsersByUserId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                workspace: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getApiKeysService: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                status?: "active" | "exhausted" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            key: string;
                            name: string;
                            description: string | null;
                            /** @enum {unknown} */
                            type: "organisation-service" | "workspace-service" | "workspace-user";
                            organisation_id: string;
                            workspace_id: string | null;
                            user_id: string | null;
                            /** @enum {unknown} */
                            status: "active" | "exhausted" | "expired";
                            created_at: string;
                            last_updated_at: string;
                            /** @enum {unknown} */
                            creation_mode: "ui" | "api" | "auto";
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                                value: number;
                            }[];
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            } | null;
                            last_reset_at: string | null;
                            next_usage_reset_at: string | null;
                            logs: {
                                /** @enum {unknown} */
                                bodies?: "none" | "failed" | "all";
                            } | null;
                            reset_usage: boolean;
                            scopes: string[];
                            defaults: {
                                metadata?: {
                                    [key: string]: string;
                                };
                                config_id?: string | null;
                                /** @default true */
                                allow_config_override: boolean;
                            } | null;
                            alert_emails: string[];
                            expires_at: string | null;
                            rotation_policy: {
                                rotation_period?: ("weekly" | "monthly") | null;
                                rotation_period_days?: number | null;
                                next_rotation_at?: string | null;
                                key_transition_period_ms?: number | null;
                            } | null;
                            key_transition_expires_at: string | null;
                            rotated_key_expires_at: string | null;
                            /** @constant */
                            object: "api-key";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postApiKeysService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    type?: "organisation" | "workspace";
                    /** @enum {unknown} */
                    "sub-type"?: "service" | "user";
                    name: string;
                    scopes: string[];
                    organisation_id?: string;
                    description?: string | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                        value: number;
                    }[] | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                    } | null;
                    defaults?: {
                        metadata?: {
                            [key: string]: string;
                        };
                        config_id?: string | null;
                        /** @default true */
                        allow_config_override?: boolean;
                    } | null;
                    alert_emails?: string[] | null;
                    expires_at?: string | null;
                    rotation_policy?: {
                        rotation_period?: ("weekly" | "monthly") | null;
                        rotation_period_days?: number | null;
                        next_rotation_at?: string | null;
                        key_transition_period_ms?: number | null;
                    } | null;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                        /** @constant */
                        object: "api-key";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getApiKeysUser: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                status?: "active" | "exhausted" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            key: string;
                            name: string;
                            description: string | null;
                            /** @enum {unknown} */
                            type: "organisation-service" | "workspace-service" | "workspace-user";
                            organisation_id: string;
                            workspace_id: string | null;
                            user_id: string | null;
                            /** @enum {unknown} */
                            status: "active" | "exhausted" | "expired";
                            created_at: string;
                            last_updated_at: string;
                            /** @enum {unknown} */
                            creation_mode: "ui" | "api" | "auto";
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                                value: number;
                            }[];
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            } | null;
                            last_reset_at: string | null;
                            next_usage_reset_at: string | null;
                            logs: {
                                /** @enum {unknown} */
                                bodies?: "none" | "failed" | "all";
                            } | null;
                            reset_usage: boolean;
                            scopes: string[];
                            defaults: {
                                metadata?: {
                                    [key: string]: string;
                                };
                                config_id?: string | null;
                                /** @default true */
                                allow_config_override: boolean;
                            } | null;
                            alert_emails: string[];
                            expires_at: string | null;
                            rotation_policy: {
                                rotation_period?: ("weekly" | "monthly") | null;
                                rotation_period_days?: number | null;
                                next_rotation_at?: string | null;
                                key_transition_period_ms?: number | null;
                            } | null;
                            key_transition_expires_at: string | null;
                            rotated_key_expires_at: string | null;
                            /** @constant */
                            object: "api-key";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postApiKeysUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    type?: "organisation" | "workspace";
                    /** @enum {unknown} */
                    "sub-type"?: "service" | "user";
                    name: string;
                    scopes: string[];
                    organisation_id?: string;
                    description?: string | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                        value: number;
                    }[] | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                    } | null;
                    defaults?: {
                        metadata?: {
                            [key: string]: string;
                        };
                        config_id?: string | null;
                        /** @default true */
                        allow_config_override?: boolean;
                    } | null;
                    alert_emails?: string[] | null;
                    expires_at?: string | null;
                    rotation_policy?: {
                        rotation_period?: ("weekly" | "monthly") | null;
                        rotation_period_days?: number | null;
                        next_rotation_at?: string | null;
                        key_transition_period_ms?: number | null;
                    } | null;
                    workspace_id?: string;
                    user_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                        /** @constant */
                        object: "api-key";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postApiKeysOrganisationService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    type?: "organisation" | "workspace";
                    /** @enum {unknown} */
                    "sub-type"?: "service" | "user";
                    name: string;
                    scopes: string[];
                    organisation_id?: string;
                    description?: string | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                        value: number;
                    }[] | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                    } | null;
                    defaults?: {
                        metadata?: {
                            [key: string]: string;
                        };
                        config_id?: string | null;
                        /** @default true */
                        allow_config_override?: boolean;
                    } | null;
                    alert_emails?: string[] | null;
                    expires_at?: string | null;
                    rotation_policy?: {
                        rotation_period?: ("weekly" | "monthly") | null;
                        rotation_period_days?: number | null;
                        next_rotation_at?: string | null;
                        key_transition_period_ms?: number | null;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                        /** @constant */
                        object: "api-key";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getApiKeys: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                status?: "active" | "exhausted" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            key: string;
                            name: string;
                            description: string | null;
                            /** @enum {unknown} */
                            type: "organisation-service" | "workspace-service" | "workspace-user";
                            organisation_id: string;
                            workspace_id: string | null;
                            user_id: string | null;
                            /** @enum {unknown} */
                            status: "active" | "exhausted" | "expired";
                            created_at: string;
                            last_updated_at: string;
                            /** @enum {unknown} */
                            creation_mode: "ui" | "api" | "auto";
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                                value: number;
                            }[];
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            } | null;
                            last_reset_at: string | null;
                            next_usage_reset_at: string | null;
                            logs: {
                                /** @enum {unknown} */
                                bodies?: "none" | "failed" | "all";
                            } | null;
                            reset_usage: boolean;
                            scopes: string[];
                            defaults: {
                                metadata?: {
                                    [key: string]: string;
                                };
                                config_id?: string | null;
                                /** @default true */
                                allow_config_override: boolean;
                            } | null;
                            alert_emails: string[];
                            expires_at: string | null;
                            rotation_policy: {
                                rotation_period?: ("weekly" | "monthly") | null;
                                rotation_period_days?: number | null;
                                next_rotation_at?: string | null;
                                key_transition_period_ms?: number | null;
                            } | null;
                            key_transition_expires_at: string | null;
                            rotated_key_expires_at: string | null;
                            /** @constant */
                            object: "api-key";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKeysById: {
        parameters: {
            query?: {
                workspace_id?: string;
                include_usage?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                        name: string;
                        description: string | null;
                        /** @enum {unknown} */
                        type: "organisation-service" | "workspace-service" | "workspace-user";
                        organisation_id: string;
                        workspace_id: string | null;
                        user_id: string | null;
                        /** @enum {unknown} */
                        status: "active" | "exhausted" | "expired";
                        created_at: string;
                        last_updated_at: string;
                        /** @enum {unknown} */
                        creation_mode: "ui" | "api" | "auto";
                        rate_limits: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                            value: number;
                        }[];
                        usage_limits: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        } | null;
                        last_reset_at: string | null;
                        next_usage_reset_at: string | null;
                        logs: {
                            /** @enum {unknown} */
                            bodies?: "none" | "failed" | "all";
                        } | null;
                        reset_usage: boolean;
                        scopes: string[];
                        defaults: {
                            metadata?: {
                                [key: string]: string;
                            };
                            config_id?: string | null;
                            /** @default true */
                            allow_config_override: boolean;
                        } | null;
                        alert_emails: string[];
                        expires_at: string | null;
                        rotation_policy: {
                            rotation_period?: ("weekly" | "monthly") | null;
                            rotation_period_days?: number | null;
                            next_rotation_at?: string | null;
                            key_transition_period_ms?: number | null;
                        } | null;
                        key_transition_expires_at: string | null;
                        rotated_key_expires_at: string | null;
                        /** @constant */
                        object: "api-key";
                        rate_limit_usage?: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                            value: number;
                            used: number;
                            remaining: number;
                        }[];
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putApiKeysById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id?: string;
                    name?: string;
                    scopes?: string[];
                    description?: string | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm" | "rps" | "rpw";
                        value: number;
                    }[] | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    logs?: {
                        /** @enum {unknown} */
                        bodies?: "none" | "failed" | "all";
                    } | null;
                    defaults?: {
                        metadata?: {
                            [key: string]: string;
                        };
                        config_id?: string | null;
                        /** @default true */
                        allow_config_override?: boolean;
                    } | null;
                    alert_emails?: string[] | null;
                    expires_at?: string | null;
                    rotation_policy?: {
                        rotation_period?: ("weekly" | "monthly") | null;
                        rotation_period_days?: number | null;
                        next_rotation_at?: string | null;
                        key_transition_period_ms?: number | null;
                    } | null;
                    reset_usage?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteApiKeysById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postApiKeysByIdRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    key_transition_period_ms?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                        key_transition_expires_at: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postApiKeysByIdRotatedKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        key: string;
                        key_transition_expires_at: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getIntegrations: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                type?: "workspace" | "organisation" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            organisation_id: string;
                            workspace_id: string | null;
                            ai_provider_id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            created_at: string;
                            last_updated_at: string;
                            slug: string;
                            description: string | null;
                            tags: {
                                [key: string]: string | number | boolean;
                            } | null;
                            /** @constant */
                            object: "integration";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    ai_provider_id: string;
                    slug?: string;
                    tags?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    key?: string;
                    description?: string;
                    configurations?: {
                        [key: string]: unknown;
                    };
                    secret_mappings?: {
                        target_field: string;
                        secret_reference_id: string;
                        secret_key?: string;
                        /** @enum {unknown} */
                        value_format?: "json" | "string";
                    }[];
                    pricing_adjustments?: {
                        multiplier?: {
                            default?: number | null;
                            request_token?: number | null;
                            response_token?: number | null;
                            cache_read_input_token?: number | null;
                            cache_write_input_token?: number | null;
                            cache_read_audio_input_token?: number | null;
                            request_audio_token?: number | null;
                            response_audio_token?: number | null;
                            reasoning_token?: number | null;
                            prediction_accepted_token?: number | null;
                            prediction_rejected_token?: number | null;
                            request_image_token?: number | null;
                            response_image_token?: number | null;
                            request_text_token?: number | null;
                            response_text_token?: number | null;
                            cache_read_image_input_token?: number | null;
                            cache_read_text_input_token?: number | null;
                            cache_write_text_input_token?: number | null;
                            cache_write_image_input_token?: number | null;
                            image?: {
                                default?: number | null;
                            } | null;
                            additional_units?: {
                                [key: string]: number;
                            } | null;
                        };
                    } | null;
                    workspace_id?: string;
                    /** @default true */
                    create_default_provider: boolean;
                    default_provider_slug?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getIntegrationsBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        organisation_id: string;
                        workspace_id: string | null;
                        ai_provider_id: string;
                        name: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        created_at: string;
                        last_updated_at: string;
                        slug: string;
                        description: string | null;
                        tags: {
                            [key: string]: string | number | boolean;
                        } | null;
                        /** @constant */
                        object: "integration";
                        masked_key: string | null;
                        configurations: {
                            [key: string]: unknown;
                        };
                        global_workspace_access_settings: {
                            enabled: boolean;
                            usage_limits?: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            }[] | null;
                            rate_limits?: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm";
                                value: number;
                            }[] | null;
                        } | null;
                        allow_all_models: boolean;
                        workspace_count: number;
                        secret_mappings: {
                            target_field: string;
                            secret_reference_id: string;
                            secret_key?: string;
                            /** @enum {unknown} */
                            value_format?: "json" | "string";
                        }[];
                        pricing_adjustments: {
                            multiplier?: {
                                default?: number | null;
                                request_token?: number | null;
                                response_token?: number | null;
                                cache_read_input_token?: number | null;
                                cache_write_input_token?: number | null;
                                cache_read_audio_input_token?: number | null;
                                request_audio_token?: number | null;
                                response_audio_token?: number | null;
                                reasoning_token?: number | null;
                                prediction_accepted_token?: number | null;
                                prediction_rejected_token?: number | null;
                                request_image_token?: number | null;
                                response_image_token?: number | null;
                                request_text_token?: number | null;
                                response_text_token?: number | null;
                                cache_read_image_input_token?: number | null;
                                cache_read_text_input_token?: number | null;
                                cache_write_text_input_token?: number | null;
                                cache_write_image_input_token?: number | null;
                                image?: {
                                    default?: number | null;
                                } | null;
                                additional_units?: {
                                    [key: string]: number;
                                } | null;
                            };
                        } | null;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putIntegrationsBySlug: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    tags?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    key?: string;
                    description?: string;
                    configurations?: {
                        [key: string]: unknown;
                    };
                    secret_mappings?: {
                        target_field: string;
                        secret_reference_id: string;
                        secret_key?: string;
                        /** @enum {unknown} */
                        value_format?: "json" | "string";
                    }[];
                    pricing_adjustments?: {
                        multiplier?: {
                            default?: number | null;
                            request_token?: number | null;
                            response_token?: number | null;
                            cache_read_input_token?: number | null;
                            cache_write_input_token?: number | null;
                            cache_read_audio_input_token?: number | null;
                            request_audio_token?: number | null;
                            response_audio_token?: number | null;
                            reasoning_token?: number | null;
                            prediction_accepted_token?: number | null;
                            prediction_rejected_token?: number | null;
                            request_image_token?: number | null;
                            response_image_token?: number | null;
                            request_text_token?: number | null;
                            response_text_token?: number | null;
                            cache_read_image_input_token?: number | null;
                            cache_read_text_input_token?: number | null;
                            cache_write_text_input_token?: number | null;
                            cache_write_image_input_token?: number | null;
                            image?: {
                                default?: number | null;
                            } | null;
                            additional_units?: {
                                [key: string]: number;
                            } | null;
                        };
                    } | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteIntegrationsBySlug: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getIntegrationsBySlugModels: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        models: {
                            slug: string;
                            name: string;
                            enabled: boolean;
                            is_custom?: boolean;
                            is_finetune?: boolean;
                            base_model_slug?: string | null;
                            configurations?: {
                                [key: string]: unknown;
                            };
                            pricing_config: {
                                /** @constant */
                                type: "static";
                                pay_as_you_go: {
                                    request_token?: {
                                        price: number;
                                    };
                                    response_token?: {
                                        price: number;
                                    };
                                    cache_write_input_token?: {
                                        price: number;
                                    };
                                    cache_read_input_token?: {
                                        price: number;
                                    };
                                    request_audio_token?: {
                                        price: number;
                                    };
                                    response_audio_token?: {
                                        price: number;
                                    };
                                    cache_read_audio_input_token?: {
                                        price: number;
                                    };
                                    additional_units?: {
                                        thinking_token?: {
                                            price: number;
                                        };
                                        image_token?: {
                                            price: number;
                                        };
                                        request_image_token?: {
                                            price: number;
                                        };
                                        cache_write_1h_input_token?: {
                                            price: number;
                                        };
                                        web_search?: {
                                            price: number;
                                        };
                                        web_fetch?: {
                                            price: number;
                                        };
                                        file_search?: {
                                            price: number;
                                        };
                                        code_interpreter?: {
                                            price: number;
                                        };
                                        source?: {
                                            price: number;
                                        };
                                        input_image?: {
                                            price: number;
                                        };
                                        pixel?: {
                                            price: number;
                                        };
                                        second?: {
                                            price: number;
                                        };
                                        character?: {
                                            price: number;
                                        };
                                        page?: {
                                            price: number;
                                        };
                                        query?: {
                                            price: number;
                                        };
                                    };
                                    image?: {
                                        [key: string]: {
                                            [key: string]: {
                                                price: number;
                                            };
                                        };
                                    };
                                };
                            } | null;
                        }[];
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putIntegrationsBySlugModels: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    models: {
                        slug: string;
                        enabled: boolean;
                        is_custom?: boolean;
                        is_finetune?: boolean;
                        base_model_slug?: string | null;
                        configurations?: {
                            custom_host?: string;
                            custom_headers?: {
                                [key: string]: string;
                            };
                        };
                        pricing_config?: {
                            /** @constant */
                            type: "static";
                            pay_as_you_go: {
                                request_token?: {
                                    price: number;
                                };
                                response_token?: {
                                    price: number;
                                };
                                cache_write_input_token?: {
                                    price: number;
                                };
                                cache_read_input_token?: {
                                    price: number;
                                };
                                request_audio_token?: {
                                    price: number;
                                };
                                response_audio_token?: {
                                    price: number;
                                };
                                cache_read_audio_input_token?: {
                                    price: number;
                                };
                                additional_units?: {
                                    thinking_token?: {
                                        price: number;
                                    };
                                    image_token?: {
                                        price: number;
                                    };
                                    request_image_token?: {
                                        price: number;
                                    };
                                    cache_write_1h_input_token?: {
                                        price: number;
                                    };
                                    web_search?: {
                                        price: number;
                                    };
                                    web_fetch?: {
                                        price: number;
                                    };
                                    file_search?: {
                                        price: number;
                                    };
                                    code_interpreter?: {
                                        price: number;
                                    };
                                    source?: {
                                        price: number;
                                    };
                                    input_image?: {
                                        price: number;
                                    };
                                    pixel?: {
                                        price: number;
                                    };
                                    second?: {
                                        price: number;
                                    };
                                    character?: {
                                        price: number;
                                    };
                                    page?: {
                                        price: number;
                                    };
                                    query?: {
                                        price: number;
                                    };
                                };
                                image?: {
                                    [key: string]: {
                                        [key: string]: {
                                            price: number;
                                        };
                                    };
                                };
                            };
                        } | null;
                    }[];
                    allow_all_models?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteIntegrationsBySlugModels: {
        parameters: {
            query: {
                slugs: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getIntegrationsBySlugWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        workspaces: {
                            id: string;
                            enabled: boolean;
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            }[] | null;
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm";
                                value: number;
                            }[] | null;
                        }[];
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putIntegrationsBySlugWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaces?: {
                        id: string;
                        enabled: boolean;
                        usage_limits?: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement?: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        }[] | null;
                        rate_limits?: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[] | null;
                        reset_usage?: boolean;
                        create_default_provider?: boolean;
                        default_provider_slug?: string;
                    }[];
                    global_workspace_access?: {
                        enabled: boolean;
                        usage_limits?: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement?: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        }[] | null;
                        rate_limits?: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[] | null;
                    } | null;
                    override_existing_workspaces_access?: boolean;
                    override_existing_workspace_access?: boolean;
                    create_default_provider?: boolean;
                    default_provider_slug?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getSecretReferences: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                manager_type?: "aws_sm" | "azure_kv" | "hashicorp_vault" | "environment" | "file";
                search?: string;
                tags?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            slug: string;
                            /** @enum {unknown} */
                            manager_type: "aws_sm" | "azure_kv" | "hashicorp_vault" | "environment" | "file";
                            /** @constant */
                            status: "ACTIVE";
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "secret-reference";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postSecretReferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    slug?: string;
                    /** @enum {unknown} */
                    manager_type: "aws_sm" | "azure_kv" | "hashicorp_vault" | "environment" | "file";
                    secret_path: string;
                    description?: string | null;
                    auth_config?: {
                        aws_auth_type?: ("accessKey" | "assumedRole" | "serviceRole") | null;
                        aws_access_key_id?: string | null;
                        aws_secret_access_key?: string | null;
                        aws_region?: string | null;
                        aws_role_arn?: string | null;
                        aws_external_id?: string | null;
                        azure_auth_mode?: ("entra" | "managed" | "default") | null;
                        azure_entra_tenant_id?: string | null;
                        azure_entra_client_id?: string | null;
                        azure_entra_client_secret?: string | null;
                        azure_managed_client_id?: string | null;
                        azure_vault_url?: string | null;
                        vault_auth_type?: ("token" | "approle" | "kubernetes") | null;
                        vault_addr?: string | null;
                        vault_token?: string | null;
                        vault_role_id?: string | null;
                        vault_secret_id?: string | null;
                        vault_role?: string | null;
                        vault_namespace?: string | null;
                    };
                    secret_key?: string | null;
                    allow_all_workspaces?: boolean;
                    allowed_workspaces?: string[];
                    tags?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        /** @constant */
                        object: "secret-reference";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getSecretReferencesBySecretReferenceId: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                secretReferenceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        slug: string;
                        /** @enum {unknown} */
                        manager_type: "aws_sm" | "azure_kv" | "hashicorp_vault" | "environment" | "file";
                        /** @constant */
                        status: "ACTIVE";
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "secret-reference";
                        organisation_id: string;
                        description: string | null;
                        secret_path: string;
                        secret_key: string | null;
                        allow_all_workspaces: boolean;
                        allowed_workspaces: string[];
                        tags: {
                            [key: string]: string | number | boolean;
                        } | null;
                        created_by: string;
                        auth_config: {
                            [key: string]: string;
                        };
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putSecretReferencesBySecretReferenceId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                secretReferenceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    secret_path?: string;
                    description?: string | null;
                    auth_config?: {
                        aws_auth_type?: ("accessKey" | "assumedRole" | "serviceRole") | null;
                        aws_access_key_id?: string | null;
                        aws_secret_access_key?: string | null;
                        aws_region?: string | null;
                        aws_role_arn?: string | null;
                        aws_external_id?: string | null;
                        azure_auth_mode?: ("entra" | "managed" | "default") | null;
                        azure_entra_tenant_id?: string | null;
                        azure_entra_client_id?: string | null;
                        azure_entra_client_secret?: string | null;
                        azure_managed_client_id?: string | null;
                        azure_vault_url?: string | null;
                        vault_auth_type?: ("token" | "approle" | "kubernetes") | null;
                        vault_addr?: string | null;
                        vault_token?: string | null;
                        vault_role_id?: string | null;
                        vault_secret_id?: string | null;
                        vault_role?: string | null;
                        vault_namespace?: string | null;
                    };
                    secret_key?: string | null;
                    allow_all_workspaces?: boolean;
                    allowed_workspaces?: string[];
                    tags?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteSecretReferencesBySecretReferenceId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                secretReferenceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getProviders: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            integration_id: string;
                            ai_provider_id: string;
                            workspace_id: string;
                            note: string | null;
                            /** @enum {unknown} */
                            status: "active" | "exhausted" | "expired";
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            } | null;
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm";
                                value: number;
                            }[] | null;
                            created_at: string;
                            last_updated_at: string;
                            slug: string;
                            expires_at: string | null;
                            /** @constant */
                            object: "provider";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    integration_id: string;
                    workspace_id?: string;
                    slug?: string;
                    note?: string | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm";
                        value: number;
                    }[] | null;
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getProvidersBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        integration_id: string;
                        ai_provider_id: string;
                        workspace_id: string;
                        note: string | null;
                        /** @enum {unknown} */
                        status: "active" | "exhausted" | "expired";
                        usage_limits: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        } | null;
                        rate_limits: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[] | null;
                        created_at: string;
                        last_updated_at: string;
                        slug: string;
                        expires_at: string | null;
                        /** @constant */
                        object: "provider";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putProvidersBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    workspace_id?: string;
                    note?: string | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm";
                        value: number;
                    }[] | null;
                    expires_at?: string | null;
                    reset_usage?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteProvidersBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getVirtualKeys: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            name: string;
                            provider: string;
                            note: string | null;
                            /** @enum {unknown} */
                            status: "active" | "exhausted" | "expired";
                            key: string | null;
                            model_config: {
                                [key: string]: unknown;
                            };
                            secret_mappings: {
                                target_field: string;
                                secret_reference_id: string;
                                secret_key?: string;
                                /** @enum {unknown} */
                                value_format?: "json" | "string";
                            }[];
                            usage_limits: {
                                credit_limit: number;
                                /**
                                 * @default cost
                                 * @enum {unknown}
                                 */
                                type: "cost" | "tokens";
                                alert_threshold?: number | null;
                                /** @enum {unknown} */
                                periodic_reset?: "monthly" | "weekly" | null;
                                periodic_reset_days?: number | null;
                                next_usage_reset_at?: string | null;
                                /**
                                 * @default soft
                                 * @enum {unknown}
                                 */
                                enforcement: "soft" | "reserve";
                                readonly id?: string;
                                /** @enum {unknown} */
                                readonly status?: "active" | "exhausted";
                                readonly current_usage?: number;
                                readonly is_threshold_alerts_sent?: boolean;
                                readonly is_exhausted_alerts_sent?: boolean;
                            } | null;
                            rate_limits: {
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rpd" | "rph" | "rpm";
                                value: number;
                            }[] | null;
                            created_at: string;
                            slug: string;
                            expires_at: string | null;
                            /** @constant */
                            object: "virtual-key";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postVirtualKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    provider: string;
                    slug?: string;
                    workspace_id?: string;
                    key?: string;
                    note?: string | null;
                    apiVersion?: string;
                    resourceName?: string;
                    deploymentName?: string;
                    deploymentConfig?: {
                        apiVersion: string;
                        deploymentName: string;
                        alias?: string;
                        is_default?: boolean;
                    }[];
                    custom_host?: string | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm";
                        value: number;
                    }[] | null;
                    expires_at?: string | null;
                    secret_mappings?: {
                        target_field: string;
                        secret_reference_id: string;
                        secret_key?: string;
                        /** @enum {unknown} */
                        value_format?: "json" | "string";
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            slug: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getVirtualKeysBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        provider: string;
                        note: string | null;
                        /** @enum {unknown} */
                        status: "active" | "exhausted" | "expired";
                        key: string | null;
                        model_config: {
                            [key: string]: unknown;
                        };
                        secret_mappings: {
                            target_field: string;
                            secret_reference_id: string;
                            secret_key?: string;
                            /** @enum {unknown} */
                            value_format?: "json" | "string";
                        }[];
                        usage_limits: {
                            credit_limit: number;
                            /**
                             * @default cost
                             * @enum {unknown}
                             */
                            type: "cost" | "tokens";
                            alert_threshold?: number | null;
                            /** @enum {unknown} */
                            periodic_reset?: "monthly" | "weekly" | null;
                            periodic_reset_days?: number | null;
                            next_usage_reset_at?: string | null;
                            /**
                             * @default soft
                             * @enum {unknown}
                             */
                            enforcement: "soft" | "reserve";
                            readonly id?: string;
                            /** @enum {unknown} */
                            readonly status?: "active" | "exhausted";
                            readonly current_usage?: number;
                            readonly is_threshold_alerts_sent?: boolean;
                            readonly is_exhausted_alerts_sent?: boolean;
                        } | null;
                        rate_limits: {
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpd" | "rph" | "rpm";
                            value: number;
                        }[] | null;
                        created_at: string;
                        slug: string;
                        expires_at: string | null;
                        /** @constant */
                        object: "virtual-key";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putVirtualKeysBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    workspace_id?: string;
                    key?: string;
                    note?: string | null;
                    apiVersion?: string;
                    resourceName?: string;
                    deploymentName?: string;
                    deploymentConfig?: {
                        apiVersion: string;
                        deploymentName: string;
                        alias?: string;
                        is_default?: boolean;
                    }[];
                    custom_host?: string | null;
                    usage_limits?: {
                        credit_limit: number;
                        /**
                         * @default cost
                         * @enum {unknown}
                         */
                        type: "cost" | "tokens";
                        alert_threshold?: number | null;
                        /** @enum {unknown} */
                        periodic_reset?: "monthly" | "weekly" | null;
                        periodic_reset_days?: number | null;
                        next_usage_reset_at?: string | null;
                        /**
                         * @default soft
                         * @enum {unknown}
                         */
                        enforcement?: "soft" | "reserve";
                        readonly id?: string;
                        /** @enum {unknown} */
                        readonly status?: "active" | "exhausted";
                        readonly current_usage?: number;
                        readonly is_threshold_alerts_sent?: boolean;
                        readonly is_exhausted_alerts_sent?: boolean;
                    } | null;
                    rate_limits?: {
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpd" | "rph" | "rpm";
                        value: number;
                    }[] | null;
                    expires_at?: string | null;
                    secret_mappings?: {
                        target_field: string;
                        secret_reference_id: string;
                        secret_key?: string;
                        /** @enum {unknown} */
                        value_format?: "json" | "string";
                    }[];
                    reset_usage?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            slug: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteVirtualKeysBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            slug: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getModelsByModel: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        object: "model";
                        created: number;
                        owned_by: string;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteModelsByModel: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        object: "model";
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getModelConfigsPricing: {
        parameters: {
            query?: {
                provider?: string;
                search?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            provider: string;
                            model_slug: string;
                            pay_as_you_go: {
                                request_token?: {
                                    price: number;
                                };
                                response_token?: {
                                    price: number;
                                };
                                cache_write_input_token?: {
                                    price: number;
                                };
                                cache_read_input_token?: {
                                    price: number;
                                };
                                request_audio_token?: {
                                    price: number;
                                };
                                response_audio_token?: {
                                    price: number;
                                };
                                cache_read_audio_input_token?: {
                                    price: number;
                                };
                                additional_units?: {
                                    thinking_token?: {
                                        price: number;
                                    };
                                    image_token?: {
                                        price: number;
                                    };
                                    request_image_token?: {
                                        price: number;
                                    };
                                    cache_write_1h_input_token?: {
                                        price: number;
                                    };
                                    web_search?: {
                                        price: number;
                                    };
                                    web_fetch?: {
                                        price: number;
                                    };
                                    file_search?: {
                                        price: number;
                                    };
                                    code_interpreter?: {
                                        price: number;
                                    };
                                    source?: {
                                        price: number;
                                    };
                                    input_image?: {
                                        price: number;
                                    };
                                    pixel?: {
                                        price: number;
                                    };
                                    second?: {
                                        price: number;
                                    };
                                    character?: {
                                        price: number;
                                    };
                                    page?: {
                                        price: number;
                                    };
                                    query?: {
                                        price: number;
                                    };
                                };
                                image?: {
                                    [key: string]: {
                                        [key: string]: {
                                            price: number;
                                        };
                                    };
                                };
                            };
                            calculate?: {
                                request: {
                                    [key: string]: unknown;
                                };
                                response: {
                                    [key: string]: unknown;
                                };
                            };
                            /** @constant */
                            currency: "USD";
                            finetune_config?: {
                                pay_per_token?: {
                                    price: number;
                                };
                                pay_per_hour?: {
                                    price: number;
                                };
                            };
                            context_tiers?: {
                                above_input_tokens: number;
                                pay_as_you_go: {
                                    request_token?: {
                                        price: number;
                                    };
                                    response_token?: {
                                        price: number;
                                    };
                                    cache_write_input_token?: {
                                        price: number;
                                    };
                                    cache_read_input_token?: {
                                        price: number;
                                    };
                                    request_audio_token?: {
                                        price: number;
                                    };
                                    response_audio_token?: {
                                        price: number;
                                    };
                                    cache_read_audio_input_token?: {
                                        price: number;
                                    };
                                    additional_units?: {
                                        thinking_token?: {
                                            price: number;
                                        };
                                        image_token?: {
                                            price: number;
                                        };
                                        request_image_token?: {
                                            price: number;
                                        };
                                        cache_write_1h_input_token?: {
                                            price: number;
                                        };
                                        web_search?: {
                                            price: number;
                                        };
                                        web_fetch?: {
                                            price: number;
                                        };
                                        file_search?: {
                                            price: number;
                                        };
                                        code_interpreter?: {
                                            price: number;
                                        };
                                        source?: {
                                            price: number;
                                        };
                                        input_image?: {
                                            price: number;
                                        };
                                        pixel?: {
                                            price: number;
                                        };
                                        second?: {
                                            price: number;
                                        };
                                        character?: {
                                            price: number;
                                        };
                                        page?: {
                                            price: number;
                                        };
                                        query?: {
                                            price: number;
                                        };
                                    };
                                    image?: {
                                        [key: string]: {
                                            [key: string]: {
                                                price: number;
                                            };
                                        };
                                    };
                                };
                            }[];
                            service_tiers?: {
                                batch?: {
                                    pay_as_you_go: {
                                        request_token?: {
                                            price: number;
                                        };
                                        response_token?: {
                                            price: number;
                                        };
                                        cache_write_input_token?: {
                                            price: number;
                                        };
                                        cache_read_input_token?: {
                                            price: number;
                                        };
                                        request_audio_token?: {
                                            price: number;
                                        };
                                        response_audio_token?: {
                                            price: number;
                                        };
                                        cache_read_audio_input_token?: {
                                            price: number;
                                        };
                                        additional_units?: {
                                            thinking_token?: {
                                                price: number;
                                            };
                                            image_token?: {
                                                price: number;
                                            };
                                            request_image_token?: {
                                                price: number;
                                            };
                                            cache_write_1h_input_token?: {
                                                price: number;
                                            };
                                            web_search?: {
                                                price: number;
                                            };
                                            web_fetch?: {
                                                price: number;
                                            };
                                            file_search?: {
                                                price: number;
                                            };
                                            code_interpreter?: {
                                                price: number;
                                            };
                                            source?: {
                                                price: number;
                                            };
                                            input_image?: {
                                                price: number;
                                            };
                                            pixel?: {
                                                price: number;
                                            };
                                            second?: {
                                                price: number;
                                            };
                                            character?: {
                                                price: number;
                                            };
                                            page?: {
                                                price: number;
                                            };
                                            query?: {
                                                price: number;
                                            };
                                        };
                                        image?: {
                                            [key: string]: {
                                                [key: string]: {
                                                    price: number;
                                                };
                                            };
                                        };
                                    };
                                };
                                flex?: {
                                    pay_as_you_go: {
                                        request_token?: {
                                            price: number;
                                        };
                                        response_token?: {
                                            price: number;
                                        };
                                        cache_write_input_token?: {
                                            price: number;
                                        };
                                        cache_read_input_token?: {
                                            price: number;
                                        };
                                        request_audio_token?: {
                                            price: number;
                                        };
                                        response_audio_token?: {
                                            price: number;
                                        };
                                        cache_read_audio_input_token?: {
                                            price: number;
                                        };
                                        additional_units?: {
                                            thinking_token?: {
                                                price: number;
                                            };
                                            image_token?: {
                                                price: number;
                                            };
                                            request_image_token?: {
                                                price: number;
                                            };
                                            cache_write_1h_input_token?: {
                                                price: number;
                                            };
                                            web_search?: {
                                                price: number;
                                            };
                                            web_fetch?: {
                                                price: number;
                                            };
                                            file_search?: {
                                                price: number;
                                            };
                                            code_interpreter?: {
                                                price: number;
                                            };
                                            source?: {
                                                price: number;
                                            };
                                            input_image?: {
                                                price: number;
                                            };
                                            pixel?: {
                                                price: number;
                                            };
                                            second?: {
                                                price: number;
                                            };
                                            character?: {
                                                price: number;
                                            };
                                            page?: {
                                                price: number;
                                            };
                                            query?: {
                                                price: number;
                                            };
                                        };
                                        image?: {
                                            [key: string]: {
                                                [key: string]: {
                                                    price: number;
                                                };
                                            };
                                        };
                                    };
                                };
                                priority?: {
                                    pay_as_you_go: {
                                        request_token?: {
                                            price: number;
                                        };
                                        response_token?: {
                                            price: number;
                                        };
                                        cache_write_input_token?: {
                                            price: number;
                                        };
                                        cache_read_input_token?: {
                                            price: number;
                                        };
                                        request_audio_token?: {
                                            price: number;
                                        };
                                        response_audio_token?: {
                                            price: number;
                                        };
                                        cache_read_audio_input_token?: {
                                            price: number;
                                        };
                                        additional_units?: {
                                            thinking_token?: {
                                                price: number;
                                            };
                                            image_token?: {
                                                price: number;
                                            };
                                            request_image_token?: {
                                                price: number;
                                            };
                                            cache_write_1h_input_token?: {
                                                price: number;
                                            };
                                            web_search?: {
                                                price: number;
                                            };
                                            web_fetch?: {
                                                price: number;
                                            };
                                            file_search?: {
                                                price: number;
                                            };
                                            code_interpreter?: {
                                                price: number;
                                            };
                                            source?: {
                                                price: number;
                                            };
                                            input_image?: {
                                                price: number;
                                            };
                                            pixel?: {
                                                price: number;
                                            };
                                            second?: {
                                                price: number;
                                            };
                                            character?: {
                                                price: number;
                                            };
                                            page?: {
                                                price: number;
                                            };
                                            query?: {
                                                price: number;
                                            };
                                        };
                                        image?: {
                                            [key: string]: {
                                                [key: string]: {
                                                    price: number;
                                                };
                                            };
                                        };
                                    };
                                };
                            };
                            price_id?: string;
                            model?: {
                                mode?: string;
                                context?: number;
                                max_output?: number;
                                dimensions?: number;
                                abilities?: string[];
                                /** Format: date */
                                retires?: string;
                                /** Format: uri */
                                source?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModelConfigsPricingByProviderByModel: {
        parameters: {
            query?: {
                details?: boolean;
            };
            header?: never;
            path: {
                provider: string;
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pay_as_you_go: {
                            request_token?: {
                                price: number;
                            };
                            response_token?: {
                                price: number;
                            };
                            cache_write_input_token?: {
                                price: number;
                            };
                            cache_read_input_token?: {
                                price: number;
                            };
                            request_audio_token?: {
                                price: number;
                            };
                            response_audio_token?: {
                                price: number;
                            };
                            cache_read_audio_input_token?: {
                                price: number;
                            };
                            additional_units?: {
                                thinking_token?: {
                                    price: number;
                                };
                                image_token?: {
                                    price: number;
                                };
                                request_image_token?: {
                                    price: number;
                                };
                                cache_write_1h_input_token?: {
                                    price: number;
                                };
                                web_search?: {
                                    price: number;
                                };
                                web_fetch?: {
                                    price: number;
                                };
                                file_search?: {
                                    price: number;
                                };
                                code_interpreter?: {
                                    price: number;
                                };
                                source?: {
                                    price: number;
                                };
                                input_image?: {
                                    price: number;
                                };
                                pixel?: {
                                    price: number;
                                };
                                second?: {
                                    price: number;
                                };
                                character?: {
                                    price: number;
                                };
                                page?: {
                                    price: number;
                                };
                                query?: {
                                    price: number;
                                };
                            };
                            image?: {
                                [key: string]: {
                                    [key: string]: {
                                        price: number;
                                    };
                                };
                            };
                        };
                        calculate?: {
                            request: {
                                [key: string]: unknown;
                            };
                            response: {
                                [key: string]: unknown;
                            };
                        };
                        /** @constant */
                        currency: "USD";
                        finetune_config?: {
                            pay_per_token?: {
                                price: number;
                            };
                            pay_per_hour?: {
                                price: number;
                            };
                        };
                        context_tiers?: {
                            above_input_tokens: number;
                            pay_as_you_go: {
                                request_token?: {
                                    price: number;
                                };
                                response_token?: {
                                    price: number;
                                };
                                cache_write_input_token?: {
                                    price: number;
                                };
                                cache_read_input_token?: {
                                    price: number;
                                };
                                request_audio_token?: {
                                    price: number;
                                };
                                response_audio_token?: {
                                    price: number;
                                };
                                cache_read_audio_input_token?: {
                                    price: number;
                                };
                                additional_units?: {
                                    thinking_token?: {
                                        price: number;
                                    };
                                    image_token?: {
                                        price: number;
                                    };
                                    request_image_token?: {
                                        price: number;
                                    };
                                    cache_write_1h_input_token?: {
                                        price: number;
                                    };
                                    web_search?: {
                                        price: number;
                                    };
                                    web_fetch?: {
                                        price: number;
                                    };
                                    file_search?: {
                                        price: number;
                                    };
                                    code_interpreter?: {
                                        price: number;
                                    };
                                    source?: {
                                        price: number;
                                    };
                                    input_image?: {
                                        price: number;
                                    };
                                    pixel?: {
                                        price: number;
                                    };
                                    second?: {
                                        price: number;
                                    };
                                    character?: {
                                        price: number;
                                    };
                                    page?: {
                                        price: number;
                                    };
                                    query?: {
                                        price: number;
                                    };
                                };
                                image?: {
                                    [key: string]: {
                                        [key: string]: {
                                            price: number;
                                        };
                                    };
                                };
                            };
                        }[];
                        service_tiers?: {
                            batch?: {
                                pay_as_you_go: {
                                    request_token?: {
                                        price: number;
                                    };
                                    response_token?: {
                                        price: number;
                                    };
                                    cache_write_input_token?: {
                                        price: number;
                                    };
                                    cache_read_input_token?: {
                                        price: number;
                                    };
                                    request_audio_token?: {
                                        price: number;
                                    };
                                    response_audio_token?: {
                                        price: number;
                                    };
                                    cache_read_audio_input_token?: {
                                        price: number;
                                    };
                                    additional_units?: {
                                        thinking_token?: {
                                            price: number;
                                        };
                                        image_token?: {
                                            price: number;
                                        };
                                        request_image_token?: {
                                            price: number;
                                        };
                                        cache_write_1h_input_token?: {
                                            price: number;
                                        };
                                        web_search?: {
                                            price: number;
                                        };
                                        web_fetch?: {
                                            price: number;
                                        };
                                        file_search?: {
                                            price: number;
                                        };
                                        code_interpreter?: {
                                            price: number;
                                        };
                                        source?: {
                                            price: number;
                                        };
                                        input_image?: {
                                            price: number;
                                        };
                                        pixel?: {
                                            price: number;
                                        };
                                        second?: {
                                            price: number;
                                        };
                                        character?: {
                                            price: number;
                                        };
                                        page?: {
                                            price: number;
                                        };
                                        query?: {
                                            price: number;
                                        };
                                    };
                                    image?: {
                                        [key: string]: {
                                            [key: string]: {
                                                price: number;
                                            };
                                        };
                                    };
                                };
                            };
                            flex?: {
                                pay_as_you_go: {
                                    request_token?: {
                                        price: number;
                                    };
                                    response_token?: {
                                        price: number;
                                    };
                                    cache_write_input_token?: {
                                        price: number;
                                    };
                                    cache_read_input_token?: {
                                        price: number;
                                    };
                                    request_audio_token?: {
                                        price: number;
                                    };
                                    response_audio_token?: {
                                        price: number;
                                    };
                                    cache_read_audio_input_token?: {
                                        price: number;
                                    };
                                    additional_units?: {
                                        thinking_token?: {
                                            price: number;
                                        };
                                        image_token?: {
                                            price: number;
                                        };
                                        request_image_token?: {
                                            price: number;
                                        };
                                        cache_write_1h_input_token?: {
                                            price: number;
                                        };
                                        web_search?: {
                                            price: number;
                                        };
                                        web_fetch?: {
                                            price: number;
                                        };
                                        file_search?: {
                                            price: number;
                                        };
                                        code_interpreter?: {
                                            price: number;
                                        };
                                        source?: {
                                            price: number;
                                        };
                                        input_image?: {
                                            price: number;
                                        };
                                        pixel?: {
                                            price: number;
                                        };
                                        second?: {
                                            price: number;
                                        };
                                        character?: {
                                            price: number;
                                        };
                                        page?: {
                                            price: number;
                                        };
                                        query?: {
                                            price: number;
                                        };
                                    };
                                    image?: {
                                        [key: string]: {
                                            [key: string]: {
                                                price: number;
                                            };
                                        };
                                    };
                                };
                            };
                            priority?: {
                                pay_as_you_go: {
                                    request_token?: {
                                        price: number;
                                    };
                                    response_token?: {
                                        price: number;
                                    };
                                    cache_write_input_token?: {
                                        price: number;
                                    };
                                    cache_read_input_token?: {
                                        price: number;
                                    };
                                    request_audio_token?: {
                                        price: number;
                                    };
                                    response_audio_token?: {
                                        price: number;
                                    };
                                    cache_read_audio_input_token?: {
                                        price: number;
                                    };
                                    additional_units?: {
                                        thinking_token?: {
                                            price: number;
                                        };
                                        image_token?: {
                                            price: number;
                                        };
                                        request_image_token?: {
                                            price: number;
                                        };
                                        cache_write_1h_input_token?: {
                                            price: number;
                                        };
                                        web_search?: {
                                            price: number;
                                        };
                                        web_fetch?: {
                                            price: number;
                                        };
                                        file_search?: {
                                            price: number;
                                        };
                                        code_interpreter?: {
                                            price: number;
                                        };
                                        source?: {
                                            price: number;
                                        };
                                        input_image?: {
                                            price: number;
                                        };
                                        pixel?: {
                                            price: number;
                                        };
                                        second?: {
                                            price: number;
                                        };
                                        character?: {
                                            price: number;
                                        };
                                        page?: {
                                            price: number;
                                        };
                                        query?: {
                                            price: number;
                                        };
                                    };
                                    image?: {
                                        [key: string]: {
                                            [key: string]: {
                                                price: number;
                                            };
                                        };
                                    };
                                };
                            };
                        };
                        price_id?: string;
                        model?: {
                            mode?: string;
                            context?: number;
                            max_output?: number;
                            dimensions?: number;
                            abilities?: string[];
                            /** Format: date */
                            retires?: string;
                            /** Format: uri */
                            source?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                };
            };
            500: components["responses"]["Internal"];
        };
    };
    getConfigs: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            slug: string;
                            organisation_id: string;
                            workspace_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            /** @enum {unknown} */
                            is_default: 0 | 1;
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "config";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postConfigs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    config: {
                        [key: string]: unknown;
                    } | string;
                    isDefault?: boolean | 0 | 1;
                    is_default?: boolean | 0 | 1;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                            version_id: string;
                            slug: string;
                        };
                        id: string;
                        version_id: string;
                        slug: string;
                        /** @constant */
                        object: "config";
                        /** @constant */
                        migrated?: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getConfigsBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        slug: string;
                        organisation_id: string;
                        workspace_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        /** @enum {unknown} */
                        is_default: 0 | 1;
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "config";
                        config: string;
                        /** @constant */
                        format: "json";
                        /** @constant */
                        type: "ORG_CONFIG";
                        version_id: string;
                        /** @constant */
                        success: true;
                        data: {
                            config: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putConfigsBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    slug?: string;
                    name?: string;
                    config?: {
                        [key: string]: unknown;
                    } | string;
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    isDefault?: boolean | 0 | 1;
                    is_default?: boolean | 0 | 1;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            version_id: string;
                        };
                        /** @constant */
                        migrated?: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteConfigsBySlug: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getConfigsBySlugVersions: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            slug: string;
                            organisation_id: string;
                            workspace_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            /** @enum {unknown} */
                            is_default: 0 | 1;
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "config";
                            config: string;
                            /** @constant */
                            format: "json";
                            /** @constant */
                            type: "ORG_CONFIG";
                            version_id: string;
                            version_created_at: string;
                            version_owner_id: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConfigsBySlugVersionsByVersion: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                slug: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        slug: string;
                        organisation_id: string;
                        workspace_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        /** @enum {unknown} */
                        is_default: 0 | 1;
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "config";
                        config: string;
                        /** @constant */
                        format: "json";
                        /** @constant */
                        type: "ORG_CONFIG";
                        version_id: string;
                        version_created_at: string;
                        version_owner_id: string;
                        /** @constant */
                        success: true;
                        data: {
                            config: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postConfigsEvaluate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id?: string;
                    api_key_id?: string;
                    headers?: {
                        [key: string]: string;
                    };
                    body?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @default chat
                     * @enum {unknown}
                     */
                    endpoint?: "chat" | "completions" | "embeddings";
                    config?: string | {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chosen: {
                            path: string;
                            provider: string;
                            virtual_key?: string;
                            model?: string;
                            guardrails?: {
                                input: string[];
                                output: string[];
                            };
                            first_token?: {
                                limit_ms: number;
                                answers: number;
                                p95_ms?: number;
                                thinks: boolean;
                            };
                        } | null;
                        steps: {
                            path: string;
                            mode: string;
                            decision: string;
                            reason: string;
                        }[];
                        error?: {
                            status: number;
                            message: string;
                            type: string | null;
                            param: string | null;
                            code: string | null;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGuardrails: {
        parameters: {
            query?: {
                workspace_id?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            /** @enum {unknown} */
                            target: "llm" | "mcp_tools";
                            organisation_id: string;
                            workspace_id: string | null;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "guardrail";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postGuardrails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @default llm
                     * @enum {unknown}
                     */
                    target: "llm" | "mcp_tools";
                    checks?: {
                        id: string;
                        /** @default {} */
                        parameters: {
                            [key: string]: unknown;
                        };
                        name?: string;
                        /** @default true */
                        is_enabled: boolean;
                    }[];
                    /** @default {} */
                    actions: {
                        /** @default false */
                        deny: boolean;
                        /** @default false */
                        async: boolean;
                        /** @default false */
                        sequential: boolean;
                        /** @default false */
                        soft_deny_200: boolean;
                        /**
                         * @default after
                         * @enum {unknown}
                         */
                        stream_mode: "after" | "window" | "buffer";
                        /** @default 200 */
                        stream_window: number;
                        on_success?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                        on_fail?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                    };
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        version_id: string;
                        /** @constant */
                        object: "guardrail";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getGuardrailsByGuardrailId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        /** @enum {unknown} */
                        target: "llm" | "mcp_tools";
                        organisation_id: string;
                        workspace_id: string | null;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "guardrail";
                        version_id: string;
                        checks: {
                            id: string;
                            /** @default {} */
                            parameters: {
                                [key: string]: unknown;
                            };
                            name?: string;
                            /** @default true */
                            is_enabled: boolean;
                        }[];
                        /** @default {} */
                        actions: {
                            /** @default false */
                            deny: boolean;
                            /** @default false */
                            async: boolean;
                            /** @default false */
                            sequential: boolean;
                            /** @default false */
                            soft_deny_200: boolean;
                            /**
                             * @default after
                             * @enum {unknown}
                             */
                            stream_mode: "after" | "window" | "buffer";
                            /** @default 200 */
                            stream_window: number;
                            on_success?: {
                                feedback: {
                                    value?: number;
                                    weight?: number;
                                    metadata?: string | {
                                        [key: string]: string;
                                    };
                                };
                            } | null;
                            on_fail?: {
                                feedback: {
                                    value?: number;
                                    weight?: number;
                                    metadata?: string | {
                                        [key: string]: string;
                                    };
                                };
                            } | null;
                        };
                        mcp_server_mappings: {
                            id: string;
                            guardrail_id: string;
                            mcp_server_id: string;
                            run_on: ("input" | "output")[];
                            capability_ids: string[];
                        }[];
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putGuardrailsByGuardrailId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    checks?: {
                        id: string;
                        /** @default {} */
                        parameters: {
                            [key: string]: unknown;
                        };
                        name?: string;
                        /** @default true */
                        is_enabled: boolean;
                    }[];
                    actions?: {
                        /** @default false */
                        deny: boolean;
                        /** @default false */
                        async: boolean;
                        /** @default false */
                        sequential: boolean;
                        /** @default false */
                        soft_deny_200: boolean;
                        /**
                         * @default after
                         * @enum {unknown}
                         */
                        stream_mode: "after" | "window" | "buffer";
                        /** @default 200 */
                        stream_window: number;
                        on_success?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                        on_fail?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                    };
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        version_id: string;
                        /** @constant */
                        object: "guardrail";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteGuardrailsByGuardrailId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getGuardrailsByGuardrailIdMcpServers: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        guardrail_id: string;
                        mcp_server_id: string;
                        run_on: ("input" | "output")[];
                        capability_ids: string[];
                    }[];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putGuardrailsByGuardrailIdMcpServers: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    mcp_servers: {
                        [key: string]: {
                            /**
                             * @default [
                             *       "input",
                             *       "output"
                             *     ]
                             */
                            run_on: ("input" | "output")[];
                            /** @default [] */
                            mcp_integration_capability_ids: string[];
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changed: boolean;
                        added: number;
                        updated: number;
                        removed: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putGuardrailsByGuardrailIdMcpServersByMcpServerId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                guardrailId: string;
                mcpServerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @default [
                     *       "input",
                     *       "output"
                     *     ]
                     */
                    run_on: ("input" | "output")[];
                    /** @default [] */
                    mcp_integration_capability_ids: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        map_id: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postGuardrailsByGuardrailIdEvaluate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text?: string;
                    /** @enum {unknown} */
                    stage?: "input" | "output";
                    request?: {
                        /** @default /v1/chat/completions */
                        path: string;
                        body: {
                            [key: string]: unknown;
                        };
                        headers?: {
                            [key: string]: string;
                        };
                        metadata?: {
                            [key: string]: string;
                        };
                        provider?: string;
                    };
                    response?: {
                        [key: string]: unknown;
                    };
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        verdict: boolean;
                        status: number;
                        hook_results: {
                            before_request_hooks: ({
                                id: string;
                                verdict: boolean;
                                checks: ({
                                    id: string;
                                    verdict: boolean;
                                    transformed: boolean;
                                    execution_time: number;
                                    created_at: string;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                execution_time: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                            after_request_hooks: ({
                                id: string;
                                verdict: boolean;
                                checks: ({
                                    id: string;
                                    verdict: boolean;
                                    transformed: boolean;
                                    execution_time: number;
                                    created_at: string;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                execution_time: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                        };
                        transformed: {
                            text?: string;
                            request?: {
                                [key: string]: unknown;
                            };
                            response?: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminV2Guardrails: {
        parameters: {
            query?: {
                workspace_id?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            /** @enum {unknown} */
                            target: "llm" | "mcp_tools";
                            organisation_id: string;
                            workspace_id: string | null;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "guardrail";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminV2Guardrails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @default llm
                     * @enum {unknown}
                     */
                    target: "llm" | "mcp_tools";
                    checks?: {
                        id: string;
                        /** @default {} */
                        parameters: {
                            [key: string]: unknown;
                        };
                        name?: string;
                        /** @default true */
                        is_enabled: boolean;
                    }[];
                    /** @default {} */
                    actions: {
                        /** @default false */
                        deny: boolean;
                        /** @default false */
                        async: boolean;
                        /** @default false */
                        sequential: boolean;
                        /** @default false */
                        soft_deny_200: boolean;
                        /**
                         * @default after
                         * @enum {unknown}
                         */
                        stream_mode: "after" | "window" | "buffer";
                        /** @default 200 */
                        stream_window: number;
                        on_success?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                        on_fail?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                    };
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        version_id: string;
                        /** @constant */
                        object: "guardrail";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminV2GuardrailsByGuardrailId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        /** @enum {unknown} */
                        target: "llm" | "mcp_tools";
                        organisation_id: string;
                        workspace_id: string | null;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "guardrail";
                        version_id: string;
                        checks: {
                            id: string;
                            /** @default {} */
                            parameters: {
                                [key: string]: unknown;
                            };
                            name?: string;
                            /** @default true */
                            is_enabled: boolean;
                        }[];
                        /** @default {} */
                        actions: {
                            /** @default false */
                            deny: boolean;
                            /** @default false */
                            async: boolean;
                            /** @default false */
                            sequential: boolean;
                            /** @default false */
                            soft_deny_200: boolean;
                            /**
                             * @default after
                             * @enum {unknown}
                             */
                            stream_mode: "after" | "window" | "buffer";
                            /** @default 200 */
                            stream_window: number;
                            on_success?: {
                                feedback: {
                                    value?: number;
                                    weight?: number;
                                    metadata?: string | {
                                        [key: string]: string;
                                    };
                                };
                            } | null;
                            on_fail?: {
                                feedback: {
                                    value?: number;
                                    weight?: number;
                                    metadata?: string | {
                                        [key: string]: string;
                                    };
                                };
                            } | null;
                        };
                        mcp_server_mappings: {
                            id: string;
                            guardrail_id: string;
                            mcp_server_id: string;
                            run_on: ("input" | "output")[];
                            capability_ids: string[];
                        }[];
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAdminV2GuardrailsByGuardrailId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    checks?: {
                        id: string;
                        /** @default {} */
                        parameters: {
                            [key: string]: unknown;
                        };
                        name?: string;
                        /** @default true */
                        is_enabled: boolean;
                    }[];
                    actions?: {
                        /** @default false */
                        deny: boolean;
                        /** @default false */
                        async: boolean;
                        /** @default false */
                        sequential: boolean;
                        /** @default false */
                        soft_deny_200: boolean;
                        /**
                         * @default after
                         * @enum {unknown}
                         */
                        stream_mode: "after" | "window" | "buffer";
                        /** @default 200 */
                        stream_window: number;
                        on_success?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                        on_fail?: {
                            feedback: {
                                value?: number;
                                weight?: number;
                                metadata?: string | {
                                    [key: string]: string;
                                };
                            };
                        } | null;
                    };
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        version_id: string;
                        /** @constant */
                        object: "guardrail";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminV2GuardrailsByGuardrailId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminV2GuardrailsByGuardrailIdMcpServers: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        guardrail_id: string;
                        mcp_server_id: string;
                        run_on: ("input" | "output")[];
                        capability_ids: string[];
                    }[];
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAdminV2GuardrailsByGuardrailIdMcpServers: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    mcp_servers: {
                        [key: string]: {
                            /**
                             * @default [
                             *       "input",
                             *       "output"
                             *     ]
                             */
                            run_on: ("input" | "output")[];
                            /** @default [] */
                            mcp_integration_capability_ids: string[];
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changed: boolean;
                        added: number;
                        updated: number;
                        removed: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putAdminV2GuardrailsByGuardrailIdMcpServersByMcpServerId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                guardrailId: string;
                mcpServerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @default [
                     *       "input",
                     *       "output"
                     *     ]
                     */
                    run_on: ("input" | "output")[];
                    /** @default [] */
                    mcp_integration_capability_ids: string[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        map_id: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminV2GuardrailsByGuardrailIdEvaluate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                guardrailId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text?: string;
                    /** @enum {unknown} */
                    stage?: "input" | "output";
                    request?: {
                        /** @default /v1/chat/completions */
                        path: string;
                        body: {
                            [key: string]: unknown;
                        };
                        headers?: {
                            [key: string]: string;
                        };
                        metadata?: {
                            [key: string]: string;
                        };
                        provider?: string;
                    };
                    response?: {
                        [key: string]: unknown;
                    };
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        verdict: boolean;
                        status: number;
                        hook_results: {
                            before_request_hooks: ({
                                id: string;
                                verdict: boolean;
                                checks: ({
                                    id: string;
                                    verdict: boolean;
                                    transformed: boolean;
                                    execution_time: number;
                                    created_at: string;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                execution_time: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                            after_request_hooks: ({
                                id: string;
                                verdict: boolean;
                                checks: ({
                                    id: string;
                                    verdict: boolean;
                                    transformed: boolean;
                                    execution_time: number;
                                    created_at: string;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                execution_time: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                        };
                        transformed: {
                            text?: string;
                            request?: {
                                [key: string]: unknown;
                            };
                            response?: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganisationDefaults: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisation_id: string;
                        input_guardrails: string[];
                        output_guardrails: string[];
                        /** @constant */
                        object: "organisation-defaults";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putOrganisationDefaults: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    input_guardrails?: string[] | null;
                    output_guardrails?: string[] | null;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisation_id: string;
                        input_guardrails: string[];
                        output_guardrails: string[];
                        /** @constant */
                        object: "organisation-defaults";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWorkspaceExclusionsInputGuardrails: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            workspace_id: string;
                            slug: string;
                            /** @constant */
                            excluded: true;
                        }[];
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkspaceExclusionsInputGuardrails: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaces: {
                        workspace_id: string;
                        excluded: boolean;
                    }[];
                    /** @default false */
                    override_existing: boolean;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            workspace_id: string;
                            slug: string;
                            /** @constant */
                            excluded: true;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWorkspaceExclusionsOutputGuardrails: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            workspace_id: string;
                            slug: string;
                            /** @constant */
                            excluded: true;
                        }[];
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putWorkspaceExclusionsOutputGuardrails: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaces: {
                        workspace_id: string;
                        excluded: boolean;
                    }[];
                    /** @default false */
                    override_existing: boolean;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            workspace_id: string;
                            slug: string;
                            /** @constant */
                            excluded: true;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getDeployments: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                status?: "active" | "archived";
                type?: "production" | "non_production";
                workspace_slug?: string[];
                search?: string;
                tags?: string | {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            slug: string;
                            /** @enum {unknown} */
                            type: "production" | "non_production";
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            /** @enum {unknown} */
                            is_default: 0 | 1;
                            /** @enum {unknown} */
                            connection_status: "healthy" | "unhealthy" | "unknown";
                            created_by: string;
                            created_at: string;
                            last_updated_at: string;
                            last_synced_at: string | null;
                            last_resynced_at: string | null;
                            tags: {
                                [key: string]: string | number | boolean;
                            } | null;
                            /** @constant */
                            object: "deployment";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postDeployments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    slug?: string;
                    /**
                     * @default production
                     * @enum {unknown}
                     */
                    type?: "production" | "non_production";
                    deployment_config?: {
                        [key: string]: unknown;
                    } | null;
                    is_default?: boolean | 0 | 1;
                    auth_settings?: {
                        gateway_base_url?: string | null;
                        mcp_gateway_base_url?: string | null;
                        is_dataservice_hosted?: boolean | 0 | 1;
                        is_playground_proxy_allowed?: boolean | 0 | 1;
                        allow_all_workspaces?: boolean | 0 | 1;
                        workspaces_allowed?: string[];
                        jwt_subs_allowed?: string[];
                        jwt_sub_workspace_mapping?: {
                            [key: string]: string;
                        } | null;
                    };
                    tags?: {
                        [key: string]: string | number | boolean;
                    } | null;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        organisation_id: string;
                        client_auth: string;
                        credentials: {
                            username: string;
                            password: string;
                        };
                        /** @constant */
                        object: "deployment";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getDeploymentsByDeploymentId: {
        parameters: {
            query?: {
                include_credentials?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        slug: string;
                        /** @enum {unknown} */
                        type: "production" | "non_production";
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        /** @enum {unknown} */
                        is_default: 0 | 1;
                        /** @enum {unknown} */
                        connection_status: "healthy" | "unhealthy" | "unknown";
                        created_by: string;
                        created_at: string;
                        last_updated_at: string;
                        last_synced_at: string | null;
                        last_resynced_at: string | null;
                        tags: {
                            [key: string]: string | number | boolean;
                        } | null;
                        /** @constant */
                        object: "deployment";
                        organisation_id: string;
                        auth_settings: {
                            gateway_base_url: string | null;
                            mcp_gateway_base_url: string | null;
                            /** @enum {unknown} */
                            is_dataservice_hosted: 0 | 1;
                            /** @enum {unknown} */
                            is_playground_proxy_allowed: 0 | 1;
                            workspaces_allowed: string[];
                            /** @enum {unknown} */
                            allow_all_workspaces: 0 | 1;
                            jwt_subs_allowed: string[];
                            jwt_sub_workspace_mapping: {
                                [key: string]: string;
                            };
                            private_link_endpoint: null;
                            /** @constant */
                            use_private_link_proxy: 0;
                            /** @constant */
                            disable_gateway: 0;
                        };
                        deployment_config: {
                            [key: string]: unknown;
                        } | null;
                        workspaces: {
                            id: string;
                            slug: string;
                        }[];
                        client_auth?: string;
                        credentials?: {
                            username: string;
                            password: string;
                        };
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putDeploymentsByDeploymentId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @enum {unknown} */
                    type?: "production" | "non_production";
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    deployment_config?: {
                        [key: string]: unknown;
                    } | null;
                    is_default?: boolean | 0 | 1;
                    rotate_auth?: boolean;
                    override_existing?: boolean;
                    auth_settings?: {
                        gateway_base_url?: string | null;
                        mcp_gateway_base_url?: string | null;
                        is_dataservice_hosted?: boolean | 0 | 1;
                        is_playground_proxy_allowed?: boolean | 0 | 1;
                        allow_all_workspaces?: boolean | 0 | 1;
                        workspaces_allowed?: string[];
                        jwt_subs_allowed?: string[];
                        jwt_sub_workspace_mapping?: {
                            [key: string]: string;
                        } | null;
                        remove_workspaces_allowed?: string[];
                        remove_subs_allowed?: string[];
                    };
                    tags?: {
                        [key: string]: string | number | boolean;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_auth?: string;
                        credentials?: {
                            username: string;
                            password: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteDeploymentsByDeploymentId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getDeploymentsByDeploymentIdPing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        status: "healthy" | "partial" | "unhealthy";
                        gateway_base_url: string;
                        outbound: {
                            /** @enum {unknown} */
                            status: "healthy" | "unhealthy" | "unreachable";
                            status_code: number | null;
                            version: string | null;
                            error: string | null;
                        };
                        inbound: {
                            /** @enum {unknown} */
                            status: "healthy" | "failed";
                            error: string | null;
                        };
                        /** @constant */
                        object: "deployment_ping";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpIntegrations: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                type?: "workspace" | "organisation" | "all";
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: {
                            id: string;
                            organisation_id: string;
                            workspace_id: string | null;
                            name: string;
                            slug: string;
                            description: string | null;
                            owner_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            /** @enum {unknown} */
                            type: "workspace" | "organisation";
                            url: string;
                            auth_type: string;
                            transport: string;
                            configurations: {
                                [key: string]: unknown;
                            };
                            secret_mappings: {
                                target_field: string;
                                secret_reference_id: string;
                                secret_key?: string;
                                /** @enum {unknown} */
                                value_format?: "json" | "string";
                            }[];
                            created_at: string;
                            last_updated_at: string;
                            workspaces_count: number;
                        }[];
                        total: number;
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    url: string;
                    /** @enum {unknown} */
                    auth_type: "oauth_auto" | "oauth_client_credentials" | "headers" | "none";
                    /** @enum {unknown} */
                    transport: "http" | "sse";
                    slug?: string;
                    workspace_id?: string;
                    organisation_id?: string;
                    description?: string | null;
                    configurations?: {
                        [key: string]: unknown;
                    };
                    secret_mappings?: {
                        target_field: string;
                        secret_reference_id: string;
                        secret_key?: string;
                        /** @enum {unknown} */
                        value_format?: "json" | "string";
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpIntegrationsByIntegration: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        organisation_id: string;
                        workspace_id: string | null;
                        name: string;
                        slug: string;
                        description: string | null;
                        owner_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        /** @enum {unknown} */
                        type: "workspace" | "organisation";
                        url: string;
                        auth_type: string;
                        transport: string;
                        configurations: {
                            [key: string]: unknown;
                        };
                        secret_mappings: {
                            target_field: string;
                            secret_reference_id: string;
                            secret_key?: string;
                            /** @enum {unknown} */
                            value_format?: "json" | "string";
                        }[];
                        created_at: string;
                        last_updated_at: string;
                        global_workspace_access: {
                            enabled: boolean;
                        } | null;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpIntegrationsByIntegration: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    url?: string;
                    /** @enum {unknown} */
                    auth_type?: "oauth_auto" | "oauth_client_credentials" | "headers" | "none";
                    /** @enum {unknown} */
                    transport?: "http" | "sse";
                    description?: string | null;
                    configurations?: {
                        [key: string]: unknown;
                    };
                    secret_mappings?: {
                        target_field: string;
                        secret_reference_id: string;
                        secret_key?: string;
                        /** @enum {unknown} */
                        value_format?: "json" | "string";
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteMcpIntegrationsByIntegration: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postMcpIntegrationsByIntegrationTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        status_code?: number;
                        response_time_ms: number;
                        url: string;
                        error?: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpIntegrationsByIntegrationSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        server_info: {
                            server_name: string | null;
                            server_version: string | null;
                            title: string | null;
                            description: string | null;
                            website_url: string | null;
                            icons: unknown[];
                            protocol_version: string | null;
                            capability_flags: {
                                [key: string]: unknown;
                            } | null;
                            instructions: string | null;
                            /** @enum {unknown} */
                            sync_status: "pending" | "synced" | "failed";
                            last_synced_at: string | null;
                            sync_error: string | null;
                        };
                        capabilities: {
                            id?: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "tool" | "prompt" | "resource" | "resource_template";
                            enabled: boolean;
                            changed: boolean;
                            uri?: string;
                            uri_template?: string;
                            title?: unknown;
                            description?: unknown;
                            icons?: unknown;
                            input_schema?: unknown;
                            output_schema?: unknown;
                            execution?: unknown;
                            annotations?: unknown;
                            arguments?: unknown;
                            mime_type?: unknown;
                            size?: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpIntegrationsByIntegrationMetadata: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        server_name: string | null;
                        server_version: string | null;
                        title: string | null;
                        description: string | null;
                        website_url: string | null;
                        icons: unknown[];
                        protocol_version: string | null;
                        capability_flags: {
                            [key: string]: unknown;
                        } | null;
                        instructions: string | null;
                        /** @enum {unknown} */
                        sync_status: "pending" | "synced" | "failed";
                        last_synced_at: string | null;
                        sync_error: string | null;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpIntegrationsByIntegrationCapabilities: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                type?: "tool" | "prompt" | "resource" | "resource_template";
            };
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "tool" | "prompt" | "resource" | "resource_template";
                            enabled: boolean;
                            changed: boolean;
                            uri?: string;
                            uri_template?: string;
                            title?: unknown;
                            description?: unknown;
                            icons?: unknown;
                            input_schema?: unknown;
                            output_schema?: unknown;
                            execution?: unknown;
                            annotations?: unknown;
                            arguments?: unknown;
                            mime_type?: unknown;
                            size?: unknown;
                            created_at: string;
                            last_updated_at: string;
                        }[];
                        counts: {
                            tools: {
                                total: number;
                                enabled: number;
                            };
                            prompts: {
                                total: number;
                                enabled: number;
                            };
                            resources: {
                                total: number;
                                enabled: number;
                            };
                            resource_templates: {
                                total: number;
                                enabled: number;
                            };
                        };
                        total: number;
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpIntegrationsByIntegrationCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    capabilities: {
                        name: string;
                        /** @enum {unknown} */
                        type: "tool" | "prompt" | "resource" | "resource_template";
                        enabled: boolean;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpIntegrationsByIntegrationWorkspaces: {
        parameters: {
            query?: {
                version?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            enabled: boolean;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            created_at: string;
                            last_updated_at: string;
                        }[];
                        global_workspace_access: {
                            enabled: boolean;
                        } | null;
                        total: number;
                    } | {
                        workspaces: {
                            id: string;
                            enabled: boolean;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            created_at: string;
                            last_updated_at: string;
                        }[];
                        global_workspace_access: {
                            enabled: boolean;
                        } | null;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpIntegrationsByIntegrationWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaces: {
                        id: string;
                        enabled: boolean;
                    }[];
                    global_workspace_access?: {
                        enabled: boolean;
                    } | null;
                    /** @default false */
                    override_existing_workspace_access: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpServers: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                id?: string;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            description: string | null;
                            created_at: string;
                            mcp_integration_id: string;
                            workspace_id: string | null;
                            organisation_id: string;
                            owner_id: string;
                            mcp_integration_slug: string;
                            mcp_integration_url: string;
                            auth_type: string;
                            workspace_name: string;
                            workspace_slug: string;
                            url: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postMcpServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    mcp_integration_id: string;
                    description?: string | null;
                    slug?: string;
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpServersByServer: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        description: string | null;
                        created_at: string;
                        mcp_integration_id: string;
                        workspace_id: string | null;
                        /** @enum {unknown} */
                        default_user_access: "allow" | "deny";
                        mcp_integration_details: {
                            id: string;
                            slug: string;
                            status: string;
                            configurations: {
                                [key: string]: unknown;
                            };
                            url: string;
                            transport: string;
                            auth_type: string;
                        };
                    } | {
                        id: string;
                        slug: string;
                        name: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        description: string | null;
                        created_at: string;
                        mcp_integration_id: string;
                        workspace_id: string | null;
                        /** @enum {unknown} */
                        default_user_access: "allow" | "deny";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpServersByServer: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteMcpServersByServer: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postMcpServersByServerTest: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                        status_code?: number;
                        response_time_ms: number;
                        url: string;
                        error?: string;
                        server_name: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServersByServerMetadata: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        server_name: string | null;
                        server_version: string | null;
                        title: string | null;
                        description: string | null;
                        website_url: string | null;
                        icons: unknown[];
                        protocol_version: string | null;
                        capability_flags: {
                            [key: string]: unknown;
                        } | null;
                        instructions: string | null;
                        /** @enum {unknown} */
                        sync_status: "pending" | "synced" | "failed";
                        last_synced_at: string | null;
                        sync_error: string | null;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServersByServerCapabilities: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                type?: "tool" | "prompt" | "resource" | "resource_template";
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "tool" | "prompt" | "resource" | "resource_template";
                            enabled: boolean;
                            changed: boolean;
                            uri?: string;
                            uri_template?: string;
                            title?: unknown;
                            description?: unknown;
                            icons?: unknown;
                            input_schema?: unknown;
                            output_schema?: unknown;
                            execution?: unknown;
                            annotations?: unknown;
                            arguments?: unknown;
                            mime_type?: unknown;
                            size?: unknown;
                            integration_enabled: boolean;
                        }[];
                        counts: {
                            tools: {
                                total: number;
                                enabled: number;
                            };
                            prompts: {
                                total: number;
                                enabled: number;
                            };
                            resources: {
                                total: number;
                                enabled: number;
                            };
                            resource_templates: {
                                total: number;
                                enabled: number;
                            };
                        };
                        total: number;
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpServersByServerCapabilities: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    capabilities: {
                        name: string;
                        /** @enum {unknown} */
                        type: "tool" | "prompt" | "resource" | "resource_template";
                        enabled: boolean;
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpServersByServerUserAccess: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                search?: string;
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            user_id: string;
                            first_name: string | null;
                            last_name: string | null;
                            enabled: boolean;
                            has_override: boolean;
                            /** @enum {unknown} */
                            connection_status: "connected" | "not_connected";
                        }[];
                        /** @enum {unknown} */
                        default_user_access: "allow" | "deny";
                        total: number;
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMcpServersByServerUserAccess: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_access?: {
                        user_id: string;
                        enabled: boolean;
                    }[];
                    /** @enum {unknown} */
                    default_user_access?: "allow" | "deny";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpServersByServerConnections: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                user_id?: string;
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            user_id: string;
                            connected: boolean;
                            created_at: string;
                            last_updated_at: string;
                        }[];
                        total: number;
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMcpServersByServerConnections: {
        parameters: {
            query?: {
                user_id?: string;
                workspace_id?: string;
            };
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getWellKnownJwksJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
        };
    };
    getV01Servers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                search?: string;
                updated_since?: string;
                version?: string;
                include_deleted?: boolean;
                workspace_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        servers: {
                            server: {
                                name: string;
                                title: string;
                                description: string;
                                version: string;
                                remotes: {
                                    /** @constant */
                                    type: "streamable-http";
                                    url: string;
                                    headers: {
                                        name: string;
                                        description: string;
                                        isRequired: boolean;
                                        isSecret: boolean;
                                    }[];
                                }[];
                            };
                            _meta: {
                                "io.modelcontextprotocol.registry/official": {
                                    /** @constant */
                                    status: "active";
                                    publishedAt: string;
                                    updatedAt: string;
                                    /** @constant */
                                    isLatest: true;
                                };
                            };
                        }[];
                        metadata: {
                            count: number;
                            nextCursor?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollections: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            slug: string;
                            organisation_id: string;
                            workspace_id: string;
                            parent_collection_id: string | null;
                            /** @enum {unknown} */
                            is_default: 0 | 1;
                            /** @constant */
                            status: "active";
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "collection";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCollections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    workspace_id?: string;
                    parent_collection_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCollectionsByCollectionId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                collectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        slug: string;
                        organisation_id: string;
                        workspace_id: string;
                        parent_collection_id: string | null;
                        /** @enum {unknown} */
                        is_default: 0 | 1;
                        /** @constant */
                        status: "active";
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "collection";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putCollectionsByCollectionId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                collectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteCollectionsByCollectionId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                collectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPromptsPartials: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                search?: string;
                collection_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            organisation_id: string;
                            workspace_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            published_version: number;
                            latest_version: number;
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "partial";
                            version: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPromptsPartials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    string: string;
                    workspace_id?: string;
                    version_description?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        version_id: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPromptsPartialsByPartialId: {
        parameters: {
            query?: {
                workspace_id?: string;
                version?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                partialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        organisation_id: string;
                        workspace_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        published_version: number;
                        latest_version: number;
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "partial";
                        string: string;
                        version: number;
                        version_description: string | null;
                        prompt_partial_version_id: string;
                        /** @enum {unknown} */
                        prompt_version_status: "active" | "archived";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPromptsPartialsByPartialId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                partialId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    string?: string;
                    version_description?: string;
                    description?: string;
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        prompt_partial_version_id: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deletePromptsPartialsByPartialId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                partialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPromptsPartialsByPartialIdVersions: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
            };
            header?: never;
            path: {
                partialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            prompt_partial_id: string;
                            prompt_partial_version_id: string;
                            slug: string;
                            version: number;
                            string: string;
                            description: string | null;
                            /** @enum {unknown} */
                            prompt_version_status: "active" | "archived";
                            owner_id: string;
                            created_at: string;
                            /** @constant */
                            object: "partial";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPromptsPartialsByPartialIdMakeDefault: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                partialId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPrompts: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                collection_id?: string;
                search?: string;
                label?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            collection_id: string;
                            organisation_id: string;
                            workspace_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            published_version: number;
                            latest_version: number;
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "prompt";
                            prompt_version: number;
                            prompt_version_id: string;
                            model: string | null;
                            virtual_key: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPrompts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    string: string;
                    parameters: {
                        [key: string]: unknown;
                    };
                    virtual_key?: string | null;
                    model?: string | null;
                    functions?: {
                        [key: string]: unknown;
                    }[] | null;
                    tools?: {
                        [key: string]: unknown;
                    }[] | null;
                    tool_choice?: (string | {
                        [key: string]: unknown;
                    }) | null;
                    version_description?: string | null;
                    template_metadata?: {
                        [key: string]: unknown;
                    } | null;
                    is_raw_template?: boolean | 0 | 1;
                    variables_schema?: {
                        [key: string]: unknown;
                    } | null;
                    strict?: boolean;
                    collection_id?: string;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        version_id: string;
                        /** @constant */
                        object: "prompt";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPromptsByPromptId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        collection_id: string;
                        organisation_id: string;
                        workspace_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        published_version: number;
                        latest_version: number;
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "prompt";
                        prompt_version: number;
                        prompt_version_id: string;
                        model: string | null;
                        virtual_key: string | null;
                        /** @enum {unknown} */
                        prompt_version_status: "active" | "archived";
                        prompt_version_description: string | null;
                        prompt_version_label_id: string | null;
                        prompt_version_labels: {
                            id: string;
                            name: string;
                        }[];
                        prompt_version_owner_id: string;
                        prompt_version_created_at: string;
                        string: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        functions: {
                            [key: string]: unknown;
                        }[] | null;
                        tools: {
                            [key: string]: unknown;
                        }[] | null;
                        tool_choice: (string | {
                            [key: string]: unknown;
                        }) | null;
                        template_metadata: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        is_raw_template: 0 | 1;
                        variables_schema: {
                            [key: string]: unknown;
                        } | null;
                        strict: boolean;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPromptsByPromptId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    collection_id?: string;
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    patch?: boolean;
                    string?: string;
                    parameters?: {
                        [key: string]: unknown;
                    };
                    virtual_key?: string | null;
                    model?: string | null;
                    functions?: {
                        [key: string]: unknown;
                    }[] | null;
                    tools?: {
                        [key: string]: unknown;
                    }[] | null;
                    tool_choice?: (string | {
                        [key: string]: unknown;
                    }) | null;
                    version_description?: string | null;
                    template_metadata?: {
                        [key: string]: unknown;
                    } | null;
                    is_raw_template?: boolean | 0 | 1;
                    variables_schema?: {
                        [key: string]: unknown;
                    } | null;
                    strict?: boolean;
                    workspace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        prompt_version_id: string;
                        /** @constant */
                        object: "prompt";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deletePromptsByPromptId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPromptsByPromptIdVersions: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
            };
            header?: never;
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            slug: string;
                            name: string;
                            collection_id: string;
                            organisation_id: string;
                            workspace_id: string;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            published_version: number;
                            latest_version: number;
                            owner_id: string;
                            updated_by: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "prompt";
                            prompt_version: number;
                            prompt_version_id: string;
                            model: string | null;
                            virtual_key: string | null;
                            /** @enum {unknown} */
                            prompt_version_status: "active" | "archived";
                            prompt_version_description: string | null;
                            prompt_version_label_id: string | null;
                            prompt_version_labels: {
                                id: string;
                                name: string;
                            }[];
                            prompt_version_owner_id: string;
                            prompt_version_created_at: string;
                            string: string;
                            parameters: {
                                [key: string]: unknown;
                            };
                            functions: {
                                [key: string]: unknown;
                            }[] | null;
                            tools: {
                                [key: string]: unknown;
                            }[] | null;
                            tool_choice: (string | {
                                [key: string]: unknown;
                            }) | null;
                            template_metadata: {
                                [key: string]: unknown;
                            } | null;
                            /** @enum {unknown} */
                            is_raw_template: 0 | 1;
                            variables_schema: {
                                [key: string]: unknown;
                            } | null;
                            strict: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPromptsByPromptIdVersionsByVersionId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                promptId: string;
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        name: string;
                        collection_id: string;
                        organisation_id: string;
                        workspace_id: string;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        published_version: number;
                        latest_version: number;
                        owner_id: string;
                        updated_by: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "prompt";
                        prompt_version: number;
                        prompt_version_id: string;
                        model: string | null;
                        virtual_key: string | null;
                        /** @enum {unknown} */
                        prompt_version_status: "active" | "archived";
                        prompt_version_description: string | null;
                        prompt_version_label_id: string | null;
                        prompt_version_labels: {
                            id: string;
                            name: string;
                        }[];
                        prompt_version_owner_id: string;
                        prompt_version_created_at: string;
                        string: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        functions: {
                            [key: string]: unknown;
                        }[] | null;
                        tools: {
                            [key: string]: unknown;
                        }[] | null;
                        tool_choice: (string | {
                            [key: string]: unknown;
                        }) | null;
                        template_metadata: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        is_raw_template: 0 | 1;
                        variables_schema: {
                            [key: string]: unknown;
                        } | null;
                        strict: boolean;
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPromptsByPromptIdVersionsByVersionId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                promptId: string;
                versionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label_id: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        prompt_version_id: string;
                        /** @constant */
                        object: "prompt";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putPromptsByPromptIdMakeDefault: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                promptId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        slug: string;
                        prompt_version_id: string;
                        /** @constant */
                        object: "prompt";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getLabels: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
                workspace_id?: string;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string;
                            description: string | null;
                            color_code: string | null;
                            is_universal: boolean;
                            /** @constant */
                            status: "active";
                            organisation_id: string;
                            workspace_id: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "label";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postLabels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    color_code?: string | null;
                    /** @constant */
                    is_universal?: false;
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getLabelsByLabelId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string | null;
                        color_code: string | null;
                        is_universal: boolean;
                        /** @constant */
                        status: "active";
                        organisation_id: string;
                        workspace_id: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "label";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putLabelsByLabelId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                labelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    color_code?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteLabelsByLabelId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPoliciesRateLimits: {
        parameters: {
            query?: {
                workspace_id?: string;
                status?: "active" | "archived";
                type?: "requests" | "tokens";
                unit?: "rpm" | "rph" | "rpd" | "rpw";
                target?: "llm" | "mcp_tools";
                search?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string | null;
                            description: string | null;
                            conditions: {
                                key: string;
                                value: string | string[];
                                excludes?: string | string[];
                            }[];
                            group_by: {
                                key: string;
                            }[];
                            /** @enum {unknown} */
                            type: "requests" | "tokens";
                            /** @enum {unknown} */
                            unit: "rpm" | "rph" | "rpd" | "rpw";
                            value: number;
                            /** @enum {unknown} */
                            target: "llm" | "mcp_tools";
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            /** @enum {unknown} */
                            on_store_failure: "local" | "open" | "closed";
                            /** @enum {unknown} */
                            reservation: "max" | "bounded" | "input" | "post";
                            /** @enum {unknown} */
                            mode: "enforce" | "shadow";
                            workspace_id: string;
                            organisation_id: string;
                            created_at: string;
                            last_updated_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPoliciesRateLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    conditions: {
                        key: string;
                        value: string | string[];
                        excludes?: string | string[];
                    }[];
                    group_by?: {
                        key: string;
                    }[];
                    /** @enum {unknown} */
                    type: "requests" | "tokens";
                    /** @enum {unknown} */
                    unit: "rpm" | "rph" | "rpd" | "rpw";
                    value: number;
                    name?: string | null;
                    description?: string | null;
                    /**
                     * @default llm
                     * @enum {unknown}
                     */
                    target?: "llm" | "mcp_tools";
                    workspace_id?: string;
                    organisation_id?: string;
                    /**
                     * @default local
                     * @enum {unknown}
                     */
                    on_store_failure?: "local" | "open" | "closed";
                    /**
                     * @default bounded
                     * @enum {unknown}
                     */
                    reservation?: "max" | "bounded" | "input" | "post";
                    /**
                     * @default enforce
                     * @enum {unknown}
                     */
                    mode?: "enforce" | "shadow";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        object: "policy_rate_limits";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPoliciesRateLimitsByRateLimitsPolicyId: {
        parameters: {
            query?: {
                status?: "active" | "archived";
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                rateLimitsPolicyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string | null;
                        description: string | null;
                        conditions: {
                            key: string;
                            value: string | string[];
                            excludes?: string | string[];
                        }[];
                        group_by: {
                            key: string;
                        }[];
                        /** @enum {unknown} */
                        type: "requests" | "tokens";
                        /** @enum {unknown} */
                        unit: "rpm" | "rph" | "rpd" | "rpw";
                        value: number;
                        /** @enum {unknown} */
                        target: "llm" | "mcp_tools";
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        /** @enum {unknown} */
                        on_store_failure: "local" | "open" | "closed";
                        /** @enum {unknown} */
                        reservation: "max" | "bounded" | "input" | "post";
                        /** @enum {unknown} */
                        mode: "enforce" | "shadow";
                        workspace_id: string;
                        organisation_id: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "policy_rate_limits";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPoliciesRateLimitsByRateLimitsPolicyId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                rateLimitsPolicyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    description?: string | null;
                    /** @enum {unknown} */
                    unit?: "rpm" | "rph" | "rpd" | "rpw";
                    value?: number;
                    conditions?: {
                        key: string;
                        value: string | string[];
                        excludes?: string | string[];
                    }[];
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    /** @enum {unknown} */
                    on_store_failure?: "local" | "open" | "closed";
                    /** @enum {unknown} */
                    reservation?: "max" | "bounded" | "input" | "post";
                    /** @enum {unknown} */
                    mode?: "enforce" | "shadow";
                    type?: unknown;
                    target?: unknown;
                    group_by?: unknown;
                    workspace_id?: unknown;
                    organisation_id?: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deletePoliciesRateLimitsByRateLimitsPolicyId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                rateLimitsPolicyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPoliciesRateLimitsByRateLimitsPolicyIdUsage: {
        parameters: {
            query?: {
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path: {
                rateLimitsPolicyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            group: {
                                [key: string]: string | null;
                            };
                            used: number;
                            limit: number;
                            remaining: number;
                            debt: number;
                            release_in_ms: number;
                            reset_in_ms: number;
                            resets_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPoliciesRateLimitsByRateLimitsPolicyIdUsageReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rateLimitsPolicyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    group: {
                        [key: string]: string | null;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postPoliciesRateLimitsEvaluate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id?: string;
                    api_key_id?: string;
                    headers?: {
                        [key: string]: string;
                    };
                    body?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @default chat
                     * @enum {unknown}
                     */
                    endpoint?: "chat" | "completions" | "embeddings";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allowed: boolean;
                        status: number;
                        targets: {
                            target: {
                                provider: string;
                                virtual_key?: string;
                                model?: string;
                            };
                            allowed: boolean;
                            status: number;
                            message?: string;
                            limits: {
                                id: string;
                                name: string | null;
                                /** @enum {unknown} */
                                owner: "policy" | "api_key" | "workspace" | "virtual_key" | "integration";
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rps" | "rpm" | "rph" | "rpd" | "rpw";
                                value: number;
                                /** @enum {unknown} */
                                mode: "enforce" | "shadow";
                                matches: boolean;
                                conditions: {
                                    key: string;
                                    value: string | string[];
                                    excludes?: string | string[];
                                    actual: string | null;
                                    holds: boolean;
                                    reason: string;
                                }[];
                                group?: {
                                    [key: string]: string | null;
                                };
                                used?: number;
                                remaining?: number;
                                weight?: number;
                                would_refuse?: boolean;
                                retry_after_ms?: number;
                            }[];
                            budgets: {
                                id: string;
                                name: string | null;
                                /** @enum {unknown} */
                                owner: "policy" | "api_key" | "workspace" | "virtual_key" | "integration";
                                /** @enum {unknown} */
                                type: "cost" | "tokens" | "requests";
                                credit_limit: number;
                                /** @enum {unknown} */
                                enforcement: "soft" | "reserve";
                                /** @enum {unknown} */
                                mode: "enforce" | "shadow";
                                matches: boolean;
                                conditions: {
                                    key: string;
                                    value: string | string[];
                                    excludes?: string | string[];
                                    actual: string | null;
                                    holds: boolean;
                                    reason: string;
                                }[];
                                group?: {
                                    [key: string]: string | null;
                                };
                                used?: number;
                                remaining?: number;
                                reserved?: number;
                                is_unpriced?: boolean;
                                would_refuse?: boolean;
                                next_usage_reset_at?: string;
                            }[];
                        }[];
                        error?: {
                            message: string;
                            type: string | null;
                            param: string | null;
                            code: string | null;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPoliciesUsageLimits: {
        parameters: {
            query?: {
                workspace_id?: string;
                status?: "active" | "archived";
                type?: "cost" | "tokens" | "requests";
                search?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string | null;
                            description: string | null;
                            conditions: {
                                key: string;
                                value: string | string[];
                                excludes?: string | string[];
                            }[];
                            group_by: {
                                key: string;
                            }[];
                            /** @enum {unknown} */
                            type: "cost" | "tokens" | "requests";
                            credit_limit: number;
                            alert_threshold: number | null;
                            periodic_reset: ("weekly" | "monthly") | null;
                            periodic_reset_days: number | null;
                            next_usage_reset_at: string | null;
                            last_reset_at: string | null;
                            /** @enum {unknown} */
                            status: "active" | "archived";
                            /** @enum {unknown} */
                            enforcement: "soft" | "reserve";
                            /** @enum {unknown} */
                            on_unknown_price: "allow" | "refuse";
                            /** @enum {unknown} */
                            mode: "enforce" | "shadow";
                            workspace_id: string;
                            organisation_id: string;
                            created_at: string;
                            last_updated_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postPoliciesUsageLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    conditions: {
                        key: string;
                        value: string | string[];
                        excludes?: string | string[];
                    }[];
                    group_by: {
                        key: string;
                    }[];
                    /** @enum {unknown} */
                    type: "cost" | "tokens" | "requests";
                    credit_limit: number;
                    alert_threshold?: number | null;
                    periodic_reset?: ("weekly" | "monthly") | null;
                    periodic_reset_days?: number | null;
                    next_usage_reset_at?: string | null;
                    name?: string | null;
                    description?: string | null;
                    workspace_id?: string;
                    organisation_id?: string;
                    /**
                     * @default soft
                     * @enum {unknown}
                     */
                    enforcement?: "soft" | "reserve";
                    /**
                     * @default allow
                     * @enum {unknown}
                     */
                    on_unknown_price?: "allow" | "refuse";
                    /**
                     * @default enforce
                     * @enum {unknown}
                     */
                    mode?: "enforce" | "shadow";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @constant */
                        object: "policy_usage_limits";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPoliciesUsageLimitsByPolicyUsageLimitsId: {
        parameters: {
            query?: {
                status?: "active" | "archived";
                workspace_id?: string;
                include_usage?: boolean;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                policyUsageLimitsId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string | null;
                        description: string | null;
                        conditions: {
                            key: string;
                            value: string | string[];
                            excludes?: string | string[];
                        }[];
                        group_by: {
                            key: string;
                        }[];
                        /** @enum {unknown} */
                        type: "cost" | "tokens" | "requests";
                        credit_limit: number;
                        alert_threshold: number | null;
                        periodic_reset: ("weekly" | "monthly") | null;
                        periodic_reset_days: number | null;
                        next_usage_reset_at: string | null;
                        last_reset_at: string | null;
                        /** @enum {unknown} */
                        status: "active" | "archived";
                        /** @enum {unknown} */
                        enforcement: "soft" | "reserve";
                        /** @enum {unknown} */
                        on_unknown_price: "allow" | "refuse";
                        /** @enum {unknown} */
                        mode: "enforce" | "shadow";
                        workspace_id: string;
                        organisation_id: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "policy_usage_limits";
                        value_key_usage_map?: {
                            [key: string]: {
                                current_usage: number;
                                /** @enum {unknown} */
                                status: "active" | "exhausted";
                                is_threshold_alerts_sent: boolean;
                                is_exhausted_alerts_sent: boolean;
                            };
                        };
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPoliciesUsageLimitsByPolicyUsageLimitsId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                policyUsageLimitsId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    description?: string | null;
                    conditions?: {
                        key: string;
                        value: string | string[];
                        excludes?: string | string[];
                    }[];
                    credit_limit?: number;
                    alert_threshold?: number | null;
                    periodic_reset?: ("weekly" | "monthly") | null;
                    periodic_reset_days?: number | null;
                    next_usage_reset_at?: string | null;
                    reset_usage_for_value?: string;
                    /** @enum {unknown} */
                    status?: "active" | "archived";
                    /** @enum {unknown} */
                    enforcement?: "soft" | "reserve";
                    /** @enum {unknown} */
                    on_unknown_price?: "allow" | "refuse";
                    /** @enum {unknown} */
                    mode?: "enforce" | "shadow";
                    type?: unknown;
                    group_by?: unknown;
                    workspace_id?: unknown;
                    organisation_id?: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deletePoliciesUsageLimitsByPolicyUsageLimitsId: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                policyUsageLimitsId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPoliciesUsageLimitsByPolicyUsageLimitsIdEntities: {
        parameters: {
            query?: {
                status?: "active" | "exhausted";
                search?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path: {
                policyUsageLimitsId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            value_key: string;
                            current_usage: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPoliciesUsageLimitsByPolicyUsageLimitsIdEntitiesByEntityIdReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                policyUsageLimitsId: string;
                entityId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postPoliciesUsageLimitsEvaluate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id?: string;
                    api_key_id?: string;
                    headers?: {
                        [key: string]: string;
                    };
                    body?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @default chat
                     * @enum {unknown}
                     */
                    endpoint?: "chat" | "completions" | "embeddings";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allowed: boolean;
                        status: number;
                        targets: {
                            target: {
                                provider: string;
                                virtual_key?: string;
                                model?: string;
                            };
                            allowed: boolean;
                            status: number;
                            message?: string;
                            limits: {
                                id: string;
                                name: string | null;
                                /** @enum {unknown} */
                                owner: "policy" | "api_key" | "workspace" | "virtual_key" | "integration";
                                /** @enum {unknown} */
                                type: "requests" | "tokens";
                                /** @enum {unknown} */
                                unit: "rps" | "rpm" | "rph" | "rpd" | "rpw";
                                value: number;
                                /** @enum {unknown} */
                                mode: "enforce" | "shadow";
                                matches: boolean;
                                conditions: {
                                    key: string;
                                    value: string | string[];
                                    excludes?: string | string[];
                                    actual: string | null;
                                    holds: boolean;
                                    reason: string;
                                }[];
                                group?: {
                                    [key: string]: string | null;
                                };
                                used?: number;
                                remaining?: number;
                                weight?: number;
                                would_refuse?: boolean;
                                retry_after_ms?: number;
                            }[];
                            budgets: {
                                id: string;
                                name: string | null;
                                /** @enum {unknown} */
                                owner: "policy" | "api_key" | "workspace" | "virtual_key" | "integration";
                                /** @enum {unknown} */
                                type: "cost" | "tokens" | "requests";
                                credit_limit: number;
                                /** @enum {unknown} */
                                enforcement: "soft" | "reserve";
                                /** @enum {unknown} */
                                mode: "enforce" | "shadow";
                                matches: boolean;
                                conditions: {
                                    key: string;
                                    value: string | string[];
                                    excludes?: string | string[];
                                    actual: string | null;
                                    holds: boolean;
                                    reason: string;
                                }[];
                                group?: {
                                    [key: string]: string | null;
                                };
                                used?: number;
                                remaining?: number;
                                reserved?: number;
                                is_unpriced?: boolean;
                                would_refuse?: boolean;
                                next_usage_reset_at?: string;
                            }[];
                        }[];
                        error?: {
                            message: string;
                            type: string | null;
                            param: string | null;
                            code: string | null;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAlerts: {
        parameters: {
            query?: {
                workspace_id?: string;
                kind?: "budget.threshold_reached" | "budget.exhausted" | "api_key.rotated" | "test";
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            /** @enum {unknown} */
                            type: "budget.threshold_reached" | "budget.exhausted" | "api_key.rotated" | "test";
                            data: {
                                [key: string]: unknown;
                            };
                            deliveries: {
                                webhook_id: string | null;
                                /** @enum {unknown} */
                                status: "pending" | "delivered" | "failed";
                                attempts: number;
                                last_status: number | null;
                                last_error: string | null;
                                next_attempt_at: string | null;
                                ended_at: string | null;
                            }[];
                            workspace_id: string | null;
                            organisation_id: string;
                            created_at: string;
                            /** @constant */
                            object: "alert";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAlertsWebhooks: {
        parameters: {
            query?: {
                workspace_id?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            name: string | null;
                            url: string;
                            kinds: ("budget.threshold_reached" | "budget.exhausted" | "api_key.rotated" | "test")[] | null;
                            is_enabled: boolean;
                            workspace_id: string;
                            organisation_id: string;
                            created_at: string;
                            last_updated_at: string;
                            /** @constant */
                            object: "alert_webhook";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAlertsWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    name?: string | null;
                    kinds?: ("budget.threshold_reached" | "budget.exhausted" | "api_key.rotated" | "test")[] | null;
                    secret?: string;
                    /** @default true */
                    is_enabled?: boolean;
                    workspace_id?: string;
                    organisation_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        secret: string;
                        /** @constant */
                        object: "alert_webhook";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAlertsWebhooksByWebhookId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string | null;
                        url: string;
                        kinds: ("budget.threshold_reached" | "budget.exhausted" | "api_key.rotated" | "test")[] | null;
                        is_enabled: boolean;
                        workspace_id: string;
                        organisation_id: string;
                        created_at: string;
                        last_updated_at: string;
                        /** @constant */
                        object: "alert_webhook";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putAlertsWebhooksByWebhookId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url?: string;
                    name?: string | null;
                    kinds?: ("budget.threshold_reached" | "budget.exhausted" | "api_key.rotated" | "test")[] | null;
                    secret?: string;
                    is_enabled?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAlertsWebhooksByWebhookId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAlertsWebhooksByWebhookIdTest: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        alert_id: string;
                        /** @constant */
                        object: "alert";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getLogs: {
        parameters: {
            query?: {
                workspace_slug?: string;
                time_of_generation_min?: string;
                time_of_generation_max?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                search?: string;
                order?: "desc" | "asc";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: {
                            id: string;
                            workspace_id: string;
                            workspace_slug: string | null;
                            created_at: string;
                            trace_id: string;
                            span_id: string | null;
                            kind: string;
                            method: string;
                            path: string;
                            request_url: string;
                            endpoint: string;
                            request_type: string;
                            stream: boolean;
                            ai_org: string | null;
                            ai_model: string | null;
                            model_asked: string | null;
                            virtual_key: string | null;
                            api_key_id: string | null;
                            config: string | null;
                            prompt_slug: string | null;
                            mode: string | null;
                            option_path: string | null;
                            last_used_option_index: number | null;
                            response_status_code: number;
                            /** @enum {unknown} */
                            is_success: 0 | 1;
                            outcome: string;
                            error_code: string | null;
                            error_message: string | null;
                            attempts: number;
                            retry_success_count: number;
                            fallback: boolean;
                            cache_status: string | null;
                            req_units: number | null;
                            res_units: number | null;
                            total_units: number | null;
                            estimated: boolean;
                            cost: number | null;
                            /** @constant */
                            cost_currency: "USD";
                            unpriced: boolean;
                            response_time: number | null;
                            first_byte_time: number | null;
                            upstream_response_time: number | null;
                            _user: string | null;
                            metadataKey: string[];
                            metadataValue: string[];
                            has_bodies: boolean;
                            feedback: {
                                id: string;
                                value: number;
                                weight: number;
                            }[];
                        }[];
                        has_more: boolean;
                        next: string | null;
                        search?: {
                            complete: boolean;
                            looked_at: number;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postLogs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    request: {
                        url: string;
                        method?: string;
                        headers?: {
                            [key: string]: string | number;
                        };
                        body: unknown;
                        provider?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    response: {
                        /** @default 200 */
                        status?: number;
                        headers?: {
                            [key: string]: string | number;
                        };
                        body: unknown;
                        response_time?: number;
                        streamingMode?: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                    metadata?: {
                        trace_id?: string;
                        span_id?: string;
                        parent_span_id?: string;
                        span_name?: string;
                    } & {
                        [key: string]: string | number | boolean;
                    };
                    output?: {
                        tokens?: number;
                        cost?: number;
                    };
                    createdAt?: string;
                } | {
                    request: {
                        url: string;
                        method?: string;
                        headers?: {
                            [key: string]: string | number;
                        };
                        body: unknown;
                        provider?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    response: {
                        /** @default 200 */
                        status?: number;
                        headers?: {
                            [key: string]: string | number;
                        };
                        body: unknown;
                        response_time?: number;
                        streamingMode?: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                    metadata?: {
                        trace_id?: string;
                        span_id?: string;
                        parent_span_id?: string;
                        span_name?: string;
                    } & {
                        [key: string]: string | number | boolean;
                    };
                    output?: {
                        tokens?: number;
                        cost?: number;
                    };
                    createdAt?: string;
                }[];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "ok";
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLogsStream: {
        parameters: {
            query?: {
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLogsExports: {
        parameters: {
            query?: {
                workspace_id?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        data: {
                            id: string;
                            organisation_id: string;
                            workspace_id: string;
                            /** @enum {unknown} */
                            status: "draft" | "in_progress" | "success" | "failed" | "stopped";
                            description: string | null;
                            filters: {
                                [key: string]: unknown;
                            };
                            requested_data: string[];
                            /** @enum {unknown} */
                            format: "jsonl" | "csv";
                            total: number;
                            rows: number;
                            bytes: number;
                            error: string | null;
                            owner_id: string;
                            created_at: string;
                            last_updated_at: string;
                            started_at: string | null;
                            ended_at: string | null;
                            expires_at: string | null;
                            /** @constant */
                            object: "export";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postLogsExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id?: string;
                    description?: string;
                    filters: {
                        workspace_slug?: string;
                        time_of_generation_min?: string;
                        time_of_generation_max?: string;
                        total_units_min?: number;
                        total_units_max?: number;
                        prompt_token_min?: number;
                        prompt_token_max?: number;
                        completion_token_min?: number;
                        completion_token_max?: number;
                        cost_min?: number;
                        cost_max?: number;
                        status_code?: string;
                        weighted_feedback_min?: number;
                        weighted_feedback_max?: number;
                        virtual_keys?: string;
                        configs?: string;
                        api_key_ids?: string;
                        trace_id?: string;
                        span_id?: string;
                        prompt_slug?: string;
                        metadata?: string;
                        ai_org_model?: string;
                        id?: string;
                        kind?: string;
                        provider?: string;
                        model?: string;
                        endpoint?: string;
                        outcome?: string;
                        is_success?: boolean;
                        error_code?: string;
                        cache_status?: string;
                        user?: string;
                        response_time_min?: number;
                        response_time_max?: number;
                        /** @default 50000 */
                        page_size: number;
                        /** @default 0 */
                        current_page: number;
                    };
                    requested_data: ("id" | "trace_id" | "created_at" | "is_success" | "ai_org" | "ai_model" | "req_units" | "res_units" | "total_units" | "request_url" | "cost" | "cost_currency" | "response_time" | "response_status_code" | "mode" | "config" | "prompt_slug" | "metadata" | "hook_results" | "request" | "response")[];
                    /**
                     * @default jsonl
                     * @enum {unknown}
                     */
                    format: "jsonl" | "csv";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        total: number;
                        /** @constant */
                        object: "export";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getLogsExportsByExportId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        organisation_id: string;
                        workspace_id: string;
                        /** @enum {unknown} */
                        status: "draft" | "in_progress" | "success" | "failed" | "stopped";
                        description: string | null;
                        filters: {
                            [key: string]: unknown;
                        };
                        requested_data: string[];
                        /** @enum {unknown} */
                        format: "jsonl" | "csv";
                        total: number;
                        rows: number;
                        bytes: number;
                        error: string | null;
                        owner_id: string;
                        created_at: string;
                        last_updated_at: string;
                        started_at: string | null;
                        ended_at: string | null;
                        expires_at: string | null;
                        /** @constant */
                        object: "export";
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putLogsExportsByExportId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace_id?: string;
                    description?: string | null;
                    filters?: {
                        workspace_slug?: string;
                        time_of_generation_min?: string;
                        time_of_generation_max?: string;
                        total_units_min?: number;
                        total_units_max?: number;
                        prompt_token_min?: number;
                        prompt_token_max?: number;
                        completion_token_min?: number;
                        completion_token_max?: number;
                        cost_min?: number;
                        cost_max?: number;
                        status_code?: string;
                        weighted_feedback_min?: number;
                        weighted_feedback_max?: number;
                        virtual_keys?: string;
                        configs?: string;
                        api_key_ids?: string;
                        trace_id?: string;
                        span_id?: string;
                        prompt_slug?: string;
                        metadata?: string;
                        ai_org_model?: string;
                        id?: string;
                        kind?: string;
                        provider?: string;
                        model?: string;
                        endpoint?: string;
                        outcome?: string;
                        is_success?: boolean;
                        error_code?: string;
                        cache_status?: string;
                        user?: string;
                        response_time_min?: number;
                        response_time_max?: number;
                        /** @default 50000 */
                        page_size: number;
                        /** @default 0 */
                        current_page: number;
                    };
                    requested_data?: ("id" | "trace_id" | "created_at" | "is_success" | "ai_org" | "ai_model" | "req_units" | "res_units" | "total_units" | "request_url" | "cost" | "cost_currency" | "response_time" | "response_status_code" | "mode" | "config" | "prompt_slug" | "metadata" | "hook_results" | "request" | "response")[];
                    /** @enum {unknown} */
                    format?: "jsonl" | "csv";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        total: number;
                        /** @constant */
                        object: "export";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteLogsExportsByExportId: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postLogsExportsByExportIdStart: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @constant */
                        object: "export";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postLogsExportsByExportIdCancel: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        /** @constant */
                        object: "export";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getLogsExportsByExportIdDownload: {
        parameters: {
            query?: {
                workspace_id?: string;
            };
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        signed_url: string;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getLogsExportsByExportIdFile: {
        parameters: {
            query: {
                expires: number;
                signature: string;
            };
            header?: never;
            path: {
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
        };
    };
    getLogsByLogId: {
        parameters: {
            query?: {
                path_format?: "v1" | "v2";
                created_at?: string;
                type?: "hooks";
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                logId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _id: string;
                        request: {
                            url: string;
                            method: string;
                            headers: {
                                [key: string]: string;
                            };
                            body: unknown;
                            truncated?: boolean;
                            gatewayHeaders: {
                                [key: string]: string;
                            };
                        };
                        response: {
                            status: number;
                            headers: {
                                [key: string]: string;
                            };
                            body: unknown;
                            truncated?: boolean;
                            responseTime: number | null;
                            lastUsedOptionJsonPath: string | null;
                        };
                        organisation_id: string;
                        created_at: string;
                        metrics: {
                            id: string;
                            organisation_id: string;
                            organisation_name: string | null;
                            workspace_slug: string | null;
                            prompt_id: string | null;
                            prompt_version_id: string | null;
                            prompt_slug: string | null;
                            config_id: string | null;
                            config: string | null;
                            config_version_id: string | null;
                            created_at: string;
                            /** @enum {unknown} */
                            is_success: 0 | 1;
                            ai_org: string | null;
                            ai_model: string | null;
                            req_units: number | null;
                            res_units: number | null;
                            total_units: number | null;
                            cost: number | null;
                            /** @constant */
                            cost_currency: "USD";
                            request_url: string;
                            request_method: string;
                            response_status_code: number;
                            response_time: number | null;
                            /** @enum {unknown} */
                            is_proxy_call: 0 | 1;
                            cache_status: string | null;
                            cache_type: string | null;
                            /** @enum {unknown} */
                            stream_mode: 0 | 1;
                            retry_success_count: number;
                            trace_id: string;
                            span_id: string | null;
                            span_name: string | null;
                            parent_span_id: string | null;
                            internal_trace_id: string;
                            mode: string | null;
                            virtual_key: string | null;
                            source: string | null;
                            runtime: string | null;
                            runtime_version: string | null;
                            sdk_version: string | null;
                            last_used_option_index: number | null;
                            log_store_file_path_format: string;
                            "metadata.key": string[];
                            "metadata.value": string[];
                            api_key_id: string | null;
                            request_parsing_time: number | null;
                            pre_processing_time: number | null;
                            cache_processing_time: number | null;
                            response_parsing_time: number | null;
                            gateway_processing_time: number | null;
                            upstream_response_time: number | null;
                            unpriced: boolean;
                            cost_parts: {
                                input: number;
                                output: number;
                                cache: number;
                                other: number;
                            } | null;
                            price_id: string | null;
                            cached_units: number | null;
                            refused_by: string[];
                            shadow_refusals: string[];
                        };
                        hook_results: {
                            before_request_hooks: ({
                                id: string;
                                verdict: boolean;
                                deny: boolean;
                                async: boolean;
                                checks: ({
                                    id: string;
                                    verdict: boolean;
                                    transformed: boolean;
                                    execution_time: number;
                                    created_at: string;
                                    error?: {
                                        name: string;
                                        message?: string;
                                    };
                                    data?: unknown;
                                } & {
                                    [key: string]: unknown;
                                })[];
                            } & {
                                [key: string]: unknown;
                            })[];
                            after_request_hooks: ({
                                id: string;
                                verdict: boolean;
                                deny: boolean;
                                async: boolean;
                                checks: ({
                                    id: string;
                                    verdict: boolean;
                                    transformed: boolean;
                                    execution_time: number;
                                    created_at: string;
                                    error?: {
                                        name: string;
                                        message?: string;
                                    };
                                    data?: unknown;
                                } & {
                                    [key: string]: unknown;
                                })[];
                            } & {
                                [key: string]: unknown;
                            })[];
                        } | null;
                        finalUntransformedRequest: {
                            url: string;
                            method: string;
                            headers: {
                                [key: string]: string;
                            };
                            body: unknown;
                            truncated?: boolean;
                        } | null;
                        transformedRequest: {
                            url: string;
                            method: string;
                            headers: {
                                [key: string]: string;
                            };
                            body: unknown;
                            truncated?: boolean;
                        } | null;
                        originalResponse: {
                            url: string;
                            method: string;
                            headers: {
                                [key: string]: string;
                            };
                            body: unknown;
                            truncated?: boolean;
                            status?: number;
                        } | null;
                        attempts: {
                            response: {
                                status: number;
                                headers: {
                                    [key: string]: string;
                                };
                                body: unknown;
                                truncated?: boolean;
                                responseTime: number | null;
                                lastUsedOptionJsonPath: string | null;
                            };
                            metrics: {
                                id: string;
                                organisation_id: string;
                                organisation_name: string | null;
                                workspace_slug: string | null;
                                prompt_id: string | null;
                                prompt_version_id: string | null;
                                prompt_slug: string | null;
                                config_id: string | null;
                                config: string | null;
                                config_version_id: string | null;
                                created_at: string;
                                /** @enum {unknown} */
                                is_success: 0 | 1;
                                ai_org: string | null;
                                ai_model: string | null;
                                req_units: number | null;
                                res_units: number | null;
                                total_units: number | null;
                                cost: number | null;
                                /** @constant */
                                cost_currency: "USD";
                                request_url: string;
                                request_method: string;
                                response_status_code: number;
                                response_time: number | null;
                                /** @enum {unknown} */
                                is_proxy_call: 0 | 1;
                                cache_status: string | null;
                                cache_type: string | null;
                                /** @enum {unknown} */
                                stream_mode: 0 | 1;
                                retry_success_count: number;
                                trace_id: string;
                                span_id: string | null;
                                span_name: string | null;
                                parent_span_id: string | null;
                                internal_trace_id: string;
                                mode: string | null;
                                virtual_key: string | null;
                                source: string | null;
                                runtime: string | null;
                                runtime_version: string | null;
                                sdk_version: string | null;
                                last_used_option_index: number | null;
                                log_store_file_path_format: string;
                                "metadata.key": string[];
                                "metadata.value": string[];
                                api_key_id: string | null;
                                request_parsing_time: number | null;
                                pre_processing_time: number | null;
                                cache_processing_time: number | null;
                                response_parsing_time: number | null;
                                gateway_processing_time: number | null;
                                upstream_response_time: number | null;
                                unpriced: boolean;
                                cost_parts: {
                                    input: number;
                                    output: number;
                                    cache: number;
                                    other: number;
                                } | null;
                                price_id: string | null;
                                cached_units: number | null;
                                refused_by: string[];
                                shadow_refusals: string[];
                            };
                            hook_results: {
                                before_request_hooks: ({
                                    id: string;
                                    verdict: boolean;
                                    deny: boolean;
                                    async: boolean;
                                    checks: ({
                                        id: string;
                                        verdict: boolean;
                                        transformed: boolean;
                                        execution_time: number;
                                        created_at: string;
                                        error?: {
                                            name: string;
                                            message?: string;
                                        };
                                        data?: unknown;
                                    } & {
                                        [key: string]: unknown;
                                    })[];
                                } & {
                                    [key: string]: unknown;
                                })[];
                                after_request_hooks: ({
                                    id: string;
                                    verdict: boolean;
                                    deny: boolean;
                                    async: boolean;
                                    checks: ({
                                        id: string;
                                        verdict: boolean;
                                        transformed: boolean;
                                        execution_time: number;
                                        created_at: string;
                                        error?: {
                                            name: string;
                                            message?: string;
                                        };
                                        data?: unknown;
                                    } & {
                                        [key: string]: unknown;
                                    })[];
                                } & {
                                    [key: string]: unknown;
                                })[];
                            } | null;
                            finalUntransformedRequest: {
                                url: string;
                                method: string;
                                headers: {
                                    [key: string]: string;
                                };
                                body: unknown;
                                truncated?: boolean;
                            } | null;
                            transformedRequest: {
                                url: string;
                                method: string;
                                headers: {
                                    [key: string]: string;
                                };
                                body: unknown;
                                truncated?: boolean;
                            } | null;
                            originalResponse: {
                                url: string;
                                method: string;
                                headers: {
                                    [key: string]: string;
                                };
                                body: unknown;
                                truncated?: boolean;
                                status?: number;
                            } | null;
                        }[];
                    };
                };
            };
            304: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAnalyticsGraphsRequests: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsCost: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                            avg: number;
                            unpriced_requests: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                            avg: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsLatency: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            avg: number | null;
                            p50: number | null;
                            p90: number | null;
                            p99: number | null;
                        };
                        data_points: {
                            timestamp: string;
                            avg: number | null;
                            p50: number | null;
                            p90: number | null;
                            p99: number | null;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsTokens: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                            avg: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                            avg: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsUsers: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsUsersRequests: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                            unique: number;
                            avg: number;
                        };
                        data_points: {
                            timestamp: string;
                            avg: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsErrors: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsErrorsRate: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            rate: number;
                        };
                        data_points: {
                            timestamp: string;
                            rate: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsErrorsStacks: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                        };
                        data_points: {
                            timestamp: string;
                            stats: {
                                response_status_code: number;
                                count: number;
                            }[];
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsRequestsRescued: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            retry: number;
                            fallback: number;
                        };
                        data_points: {
                            timestamp: string;
                            retry: {
                                retry_success_count: number;
                                count: number;
                            }[];
                            fallback: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsCacheHitRate: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                            rate: number;
                        };
                        data_points: {
                            timestamp: string;
                            simple_hits: number;
                            semantic_hits: number;
                            rate: number;
                            cumulative_simple_cache_savings: number;
                            cumulative_semantic_cache_savings: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsCacheLatency: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: Record<string, never>;
                        data_points: {
                            timestamp: string;
                            avg: number | null;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsFeedbacks: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsFeedbacksWeighted: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            avg: number;
                        };
                        data_points: {
                            timestamp: string;
                            avg: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsTimeToFirstToken: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            avg: number | null;
                            p50: number | null;
                            p90: number | null;
                            p99: number | null;
                        };
                        data_points: {
                            timestamp: string;
                            avg: number | null;
                            p50: number | null;
                            p90: number | null;
                            p99: number | null;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsTokensPerSecond: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            avg: number;
                        };
                        data_points: {
                            timestamp: string;
                            avg: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsErrorsStatusCodes: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total_errors: number;
                            unique_error_codes: number;
                        };
                        data_points: {
                            status_code: number;
                            count: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsFeedbacksScores: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                        };
                        data_points: {
                            score: number;
                            total: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsFeedbacksAiModels: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: Record<string, never>;
                        data_points: {
                            ai_model: string;
                            total: number;
                            avg_weighted_feedback: number;
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGraphsCostMetadataByMetadataKey: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                interval?: "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
            };
            header?: never;
            path: {
                metadataKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            total: number;
                            unpriced_requests: number;
                        };
                        data_points: {
                            timestamp: string;
                            total: number;
                            stats: {
                                metadata_value: string | null;
                                total: number;
                            }[];
                        }[];
                        /** @constant */
                        object: "analytics-graph";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsSummaryCache: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summary: {
                            hits: number;
                            avg_latency: number | null;
                            total_requests: number;
                            cache_speedup: number | null;
                        };
                        /** @constant */
                        object: "analytics-summary";
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsUsers: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            user: string;
                            requests: string;
                            cost: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsAiModels: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            ai_model: string;
                            requests: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsProvider: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            provider: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsAiService: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            ai_service: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsModel: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            model: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsStatusCode: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            status_code: number;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsApiKey: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            api_key: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsConfig: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            config: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsWorkspace: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            workspace: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsPrompt: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            prompt: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsVirtualKey: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
                columns?: string;
                include_total?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            virtual_key: string;
                            requests?: number;
                            cost?: number;
                            unpriced_requests?: number;
                            total_tokens?: number;
                            avg_tokens?: number | null;
                            avg_input_tokens?: number | null;
                            avg_output_tokens?: number | null;
                            avg_latency?: number | null;
                            p50_latency?: number | null;
                            p90_latency?: number | null;
                            p95_latency?: number | null;
                            p99_latency?: number | null;
                            success_rate?: number;
                            error_count?: number;
                            cache_hit_rate?: number;
                            last_seen?: string;
                            first_seen?: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsModelPerformance: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            provider: string;
                            ai_model: string;
                            requests: number;
                            avg_latency: number | null;
                            p50_latency: number | null;
                            p90_latency: number | null;
                            p99_latency: number | null;
                            avg_time_to_first_token: number | null;
                            p50_time_to_first_token: number | null;
                            p90_time_to_first_token: number | null;
                            p99_time_to_first_token: number | null;
                            tokens_per_second: number;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalyticsGroupsMetadataByMetadataKey: {
        parameters: {
            query: {
                time_of_generation_min: string;
                time_of_generation_max: string;
                workspace_slug?: string;
                total_units_min?: number;
                total_units_max?: number;
                prompt_token_min?: number;
                prompt_token_max?: number;
                completion_token_min?: number;
                completion_token_max?: number;
                cost_min?: number;
                cost_max?: number;
                status_code?: string;
                weighted_feedback_min?: number;
                weighted_feedback_max?: number;
                virtual_keys?: string;
                configs?: string;
                api_key_ids?: string;
                trace_id?: string;
                span_id?: string;
                prompt_slug?: string;
                metadata?: string;
                ai_org_model?: string;
                id?: string;
                kind?: string;
                provider?: string;
                model?: string;
                endpoint?: string;
                outcome?: string;
                is_success?: boolean;
                error_code?: string;
                cache_status?: string;
                user?: string;
                response_time_min?: number;
                response_time_max?: number;
                current_page?: number;
                page_size?: number;
                order_by?: string;
                order_by_type?: "asc" | "desc" | "ASC" | "DESC";
            };
            header?: never;
            path: {
                metadataKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total?: number;
                        data: {
                            metadata_value: string;
                            requests: number;
                            cost: number;
                            avg_tokens: number | null;
                            avg_weighted_feedback: number | null;
                            requests_with_feedback: number;
                            last_seen: string;
                            /** @constant */
                            object: "analytics-group";
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    trace_id: string;
                    value: number;
                    weight?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                } | {
                    trace_id: string;
                    value: number;
                    weight?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                }[];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        message: string;
                        feedback_ids: string[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putFeedbackById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    value: number;
                    weight?: number;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    feedback_id?: string;
                    trace_id?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "success";
                        message: string;
                        feedback_ids: string[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuditLogs: {
        parameters: {
            query: {
                start_time: string;
                end_time: string;
                method?: "POST" | "PUT" | "PATCH" | "DELETE";
                uri?: string;
                request_id?: string;
                user_id?: string;
                user_type?: "user" | "api_key";
                workspace_id?: string;
                response_status_code?: number;
                resource_type?: string;
                action?: string;
                client_ip?: string;
                country?: string;
                current_page?: number;
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        total: number;
                        records: {
                            id: string;
                            sequence: number;
                            created_at: string;
                            organisation_id: string;
                            workspace_id: string | null;
                            user_id: string;
                            user_name: string;
                            /** @enum {unknown} */
                            user_type: "user" | "api_key" | "cli" | "system";
                            action: string;
                            resource_type: string;
                            resource_id: string;
                            method: string | null;
                            uri: string | null;
                            request_id: string | null;
                            client_ip: string | null;
                            country: null;
                            /** @constant */
                            response_status_code: 200;
                            before: {
                                [key: string]: unknown;
                            } | null;
                            after: {
                                [key: string]: unknown;
                            } | null;
                            previous_hash: string;
                            hash: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
