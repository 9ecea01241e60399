# app/controllers/welcome_controller.rb; in config/routes.rb:
# get "/welcome", to: "welcome#show"
# post "/welcome", to: "welcome#redeem"
# /welcome is the path of your redemption link.
class WelcomeController < ApplicationController
  PAGES = {
    "redeemed" => [200, "The offer is yours."],
    "already_redeemed" => [200, "This offer has already been redeemed."],
    "not_found" => [404, "This link is not valid."]
  }.freeze
  FORM = <<~ERB
    <%= form_with url: request.path, local: true do %>
      <%= hidden_field_tag :token, token, id: nil %>
      <%= hidden_field_tag :attempt, SecureRandom.uuid, id: nil %>
      <button>Get <%= claim["offer"] %></button>
    <% end %>
  ERB

  # A failure does not mean that the token is invalid.
  rescue_from StandardError do |failure|
    logger.error(failure.full_message)
    page 503, "Please try again in a moment."
  end

  # Shows the offer with a button and redeems nothing: link scanners come here too.
  def show
    token = params[:claim].to_s
    return page(*PAGES["not_found"]) if token.empty?

    claim = Claimcheck.verify(token)
    return page(*PAGES[claim["status"]]) unless claim["status"] == "valid"

    page 200, render_to_string(inline: FORM, locals: { token: token, claim: claim })
  end

  # Redeems the claim. A second click sends the same attempt ID and gets the same response.
  def redeem
    token, attempt = params.values_at(:token, :attempt).map(&:to_s)
    return page(*PAGES["not_found"]) if token.empty? || attempt.empty?

    status = Claimcheck.redeem(token, attempt) do |claim|
      apply_offer(claim["offer_id"], attempt)
    end
    page(*PAGES[status])
  end

  private

  # Replace this. If called twice with the same attempt, it must apply the offer only once.
  def apply_offer(offer_id, attempt)
    logger.info("apply #{offer_id} for #{attempt}")
  end

  def page(code, body)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "strict-origin"
    render html: "<!doctype html><title>Your offer</title>#{body}".html_safe, status: code
  end
end
