// Writes the rows of flowfuse_rows.py with FlowFuse's own models: node flowfuse_load.js FORGE ROWS TOKEN
'use strict'

const fs = require('fs')

const [forge, file, token] = process.argv.slice(2)
const rows = JSON.parse(fs.readFileSync(file, 'utf8'))
const BEGUN = '2026-03-02T08:00:00Z'

function at (moment) {
    return { createdAt: moment, updatedAt: moment }
}

function listed (values) {
    return Object.entries(values).map(([name, value]) => ({ name, value }))
}

async function load (app) {
    const M = app.db.models
    const silent = { silent: true }
    await app.settings.set('instanceId', rows.instanceId)
    await app.settings.set('telemetry:enabled', false)
    const users = {}
    for (const [username, name, email, admin, suspended] of rows.users) {
        const values = { username, name, email, admin, suspended, email_verified: true, password: 'of-a-benchmark' }
        users[username] = await M.User.create({ ...values, ...at(BEGUN) }, silent)
    }
    const owner = { ownerId: String(users.marit.id), ownerType: 'user' }
    await M.AccessToken.create({ ...owner, token, scope: '', name: 'assistant', ...at(BEGUN) }, silent)
    await M.AccessToken.create({ ...owner, token: 'ffpat_reports', scope: '', name: 'monthly report', expiresAt: '2035-01-01T00:00:00Z', ...at(BEGUN) }, silent)
    const teams = []
    for (const [name, slug, members] of rows.teams) {
        const team = await M.Team.create({ name, slug, TeamTypeId: 1, ...at(BEGUN) }, silent)
        for (const [user, role] of Object.entries(members)) {
            await M.TeamMember.create({ TeamId: team.id, UserId: users[user].id, role }, silent)
        }
        teams.push(team)
    }
    const types = []
    for (const [name, description, order] of rows.types) {
        const type = await M.ProjectType.create({ name, description, order, active: true, properties: {}, ...at(BEGUN) }, silent)
        await app.db.controllers.TeamType.enableInstanceTypeForDefaultType(type)
        types.push(type)
    }
    const stacks = []
    for (const [name, label, nodered, active, type] of rows.stacks) {
        const ProjectTypeId = types[type - 1].id
        stacks.push(await M.ProjectStack.create({ name, label, active, ProjectTypeId, properties: { nodered }, ...at(BEGUN) }, silent))
    }
    for (let i = 0; i < types.length; i++) {
        await types[i].setDefaultStack(stacks[rows.types[i][3] - 1])
    }
    for (const [name, description, active] of rows.templates) {
        await M.ProjectTemplate.create({ name, description, active, settings: { timeZone: 'Europe/Oslo' }, policy: {}, ownerId: users.marit.id, ...at(BEGUN) }, silent)
    }
    for (const [name, description, TeamId] of rows.applications) {
        await M.Application.create({ name, description, TeamId, ...at(BEGUN) }, silent)
    }
    for (const [id, name, ApplicationId, ProjectTypeId, ProjectStackId, ProjectTemplateId, state, env] of rows.instances) {
        const TeamId = rows.applications[ApplicationId - 1][2]
        const url = `http://${name}.fjellkilde.example.com`
        const values = { id, name, url, state, type: '', ApplicationId, TeamId, ProjectTypeId, ProjectStackId, ProjectTemplateId }
        const instance = await M.Project.create({ ...values, ...at(BEGUN) }, silent)
        await instance.updateSetting('settings', { env: listed(env) })
        await instance.updateSetting('credentialSecret', 'of-a-benchmark')
    }
    for (const [name, type, TeamId, application, instance, state, lastSeenAt, agentVersion, mode, env] of rows.devices) {
        const ProjectId = instance ? rows.instances[instance - 1][0] : null
        const values = { name, type, TeamId, ApplicationId: application, ProjectId, state, lastSeenAt, agentVersion, mode }
        const device = await M.Device.create({ ...values, credentialSecret: 'of-a-benchmark', ...at(BEGUN) }, silent)
        await device.updateSettings({ env: listed(env) })
    }
    const made = []
    for (const [name, description, instance, device, user, moment, env, nodes] of rows.snapshots) {
        const ProjectId = instance ? rows.instances[instance - 1][0] : null
        const flow = nodes.map((label, i) => ({ id: `n${made.length + 1}${i}`, type: i ? 'function' : 'inject', name: label, wires: [] }))
        const values = { name, description, ProjectId, DeviceId: device, UserId: users[user].id, credentialSecret: '' }
        const content = { flows: { flows: flow, credentials: {} }, settings: { settings: {}, env, modules: { 'node-red': '4.0.2' } } }
        made.push(await M.ProjectSnapshot.create({ ...values, ...content, ...at(moment) }, silent))
    }
    for (const [instance, snapshot] of Object.entries(rows.targets)) {
        const id = rows.instances[instance - 1][0]
        const project = await M.Project.byId(id)
        await project.updateSetting('deviceSettings', { targetSnapshot: made[snapshot - 1].id })
        await M.Device.update({ targetSnapshotId: made[snapshot - 1].id }, { where: { ProjectId: id } })
    }
    for (const [invitee, email, invitor, teamId, role, sentAt] of rows.invitations) {
        const token = `invitation-${invitee || email}`
        const values = { token, external: !invitee, email: email || null, role, teamId, sentAt, expiresAt: '2035-01-01T00:00:00Z' }
        await M.Invitation.create({ ...values, invitorId: users[invitor].id, inviteeId: invitee ? users[invitee].id : null, ...at(sentAt) }, silent)
    }
    for (const [event, entityType, number, user, moment, body] of rows.audit) {
        const entityId = entityType === 'project' ? rows.instances[number - 1][0] : entityType === 'platform' ? null : String(number)
        await M.AuditLog.create({ event, entityType, entityId, UserId: users[user].id, body: JSON.stringify(body), ...at(moment) }, silent)
    }
    await app.settings.set('setup:initialised', true)
}

require(forge)()
    .then(async app => { await load(app); await app.close(); process.exit(0) })
    .catch(error => { console.error(error); process.exit(1) })
