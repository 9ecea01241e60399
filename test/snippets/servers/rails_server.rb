require "logger"
require "rails"
require "action_controller/railtie"
require "webrick"
require "rack/handler/webrick"
require_relative "claimcheck"

$stdout.sync = true

class Shop < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.hosts.clear
  config.secret_key_base = "for tests only"
  config.logger = Logger.new($stdout)
  config.log_level = :info
  routes.append do
    get "welcome", to: "welcome#show"
    post "welcome", to: "welcome#redeem"
  end
end
Shop.initialize!

class ApplicationController < ActionController::Base
end
require_relative "welcome_controller"

Rack::Handler::WEBrick.run(
  Shop, Host: "127.0.0.1", Port: Integer(ENV.fetch("PORT")), AccessLog: [], Logger: WEBrick::Log.new(nil, 0)
)
